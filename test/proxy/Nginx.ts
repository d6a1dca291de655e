// nginx with TLS in front of the built server: a stock one, where only `proxy_pass` is set and everything else is as the package has it, and one
// with the settings of deploy/nginx.conf.
import { assert, afterAll, beforeAll, describe, it } from "vitest"
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { Agent, request as send } from "node:https"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { mintKey, openStudio, type Studio } from "../support/access/Studio.ts"
import { root, startServer } from "../support/Server.ts"
import type { Answer, Call } from "../support/TestApp.ts"

const freePort = () =>
  new Promise<number>((found) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => found(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

type InFolder = (name: string) => string
type ServerBlock = (upstream: string, port: number, inFolder: InFolder) => string

const stock: ServerBlock = (upstream, port, inFolder) => `
  server {
    listen 127.0.0.1:${port} ssl;
    server_name localhost;
    ssl_certificate ${inFolder("cert.pem")}; ssl_certificate_key ${inFolder("key.pem")};
    location / { proxy_pass ${upstream}; }
  }`

/** The sample with the addresses of this test. */
const sample: ServerBlock = (upstream, port, inFolder) =>
  [
    ["server 127.0.0.1:4210;", `server ${new URL(upstream).host};`],
    ["listen 443 ssl;", `listen 127.0.0.1:${port} ssl;`],
    ["server_name play.example.com;", "server_name localhost;"],
    ["/etc/ssl/certs/play.example.com.pem", inFolder("cert.pem")],
    ["/etc/ssl/private/play.example.com.key", inFolder("key.pem")]
  ].reduce(
    (text, [there = "", here = ""]) => {
      assert.include(text, there)
      return text.replace(there, here)
    },
    readFileSync(join(root, "deploy", "nginx.conf"), "utf8")
  )

const configuration = (block: string, inFolder: InFolder) => `
daemon off; pid ${inFolder("nginx.pid")}; error_log ${inFolder("error.log")};
events {}
http {
  access_log off;
  client_body_temp_path ${inFolder("body")}; proxy_temp_path ${inFolder("proxy")};
  fastcgi_temp_path ${inFolder("fastcgi")}; uwsgi_temp_path ${inFolder("uwsgi")}; scgi_temp_path ${inFolder("scgi")};
  ${block}
}
`

const ensure = ({ status, stderr }: { readonly status: number | null; readonly stderr: Buffer }) =>
  assert.strictEqual(status, 0, stderr.toString())

const blocks: ReadonlyArray<readonly [name: string, block: ServerBlock]> = [
  ["a stock nginx", stock],
  ["deploy/nginx.conf", sample]
]

describe.each(blocks)("behind %s with TLS", (_, block) => {
  const folder = mkdtempSync(join(tmpdir(), "gamekeeper-nginx-"))
  const inFolder = (name: string) => join(folder, name)
  let server: Awaited<ReturnType<typeof startServer>>
  let nginx: ChildProcess
  let agent: Agent
  let origin: string
  let studio: Studio

  const open = (method: string, path: string, call: Call = {}) => {
    const body = call.body === undefined ? undefined : JSON.stringify(call.body)
    const outgoing = send(`${origin}${path}`, {
      method,
      agent,
      headers: {
        ...(body === undefined
          ? {}
          : { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
        ...call.headers
      }
    })
    outgoing.end(body)
    return outgoing
  }

  const request = (method: string, path: string, call: Call = {}) =>
    new Promise<Answer>((answered, failed) => {
      open(method, path, call)
        .on("error", failed)
        .on("response", (response) => {
          let text = ""
          response.on("data", (chunk: Buffer) => (text += chunk.toString()))
          response.on("end", () => {
            const headers = new Headers()
            for (const [name, value] of Object.entries(response.headers))
              for (const each of [value].flat()) if (each !== undefined) headers.append(name, each)
            const isJson = String(response.headers["content-type"]).startsWith("application/json") && text !== ""
            answered({ status: response.statusCode ?? 0, headers, text, body: isJson ? JSON.parse(text) : undefined })
          })
        })
    })

  beforeAll(async () => {
    const port = await freePort()
    origin = `https://localhost:${port}`
    server = await startServer(inFolder("data"), ["--public-url", origin, "--trust-proxy", "on"])
    ensure(
      spawnSync("openssl", [
        ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost"],
        ...["-addext", "subjectAltName=DNS:localhost", "-keyout", inFolder("key.pem"), "-out", inFolder("cert.pem")]
      ])
    )
    writeFileSync(inFolder("nginx.conf"), configuration(block(server.url, port, inFolder), inFolder))
    ensure(spawnSync("nginx", ["-t", "-q", "-e", inFolder("error.log"), "-c", inFolder("nginx.conf")]))
    nginx = spawn("nginx", ["-e", inFolder("error.log"), "-c", inFolder("nginx.conf")])
    agent = new Agent({ ca: readFileSync(inFolder("cert.pem")), keepAlive: true })
    for (let tries = 0; tries < 100; tries++) {
      const isUp = await request("GET", "/health").then(
        ({ status }) => status === 200,
        () => false
      )
      if (isUp) break
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    studio = await openStudio(request, "ada")
  })

  afterAll(async () => {
    agent.destroy()
    nginx.kill("SIGTERM")
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const signIn = (headers: Record<string, string>) =>
    request("POST", "/users/auth/signin", {
      body: { email: "nobody@studio.test", password: "wrong horse battery" },
      headers
    })

  it("D1: a browser of the public address signs in, whether it sends Sec-Fetch-Site or only Origin", async () => {
    for (const headers of [{ "sec-fetch-site": "same-origin", origin }, { origin }] as const) {
      assert.strictEqual((await signIn({ ...headers })).status, 401)
    }
    const refused = await signIn({ origin: "https://evil.example" })
    assert.strictEqual(refused.body.code, "CROSS_SITE_REQUEST")
    assert.include(refused.body.message, "--public-url")
    assert.strictEqual((await signIn({ origin: origin.replace("https", "http") })).body.code, "CROSS_SITE_REQUEST")
  })

  const roles = async () =>
    (await request("GET", `/organization/${studio.organizationId}/v2/roles`, { headers: studio.cookie })).body

  it("D1: the session cookie is Secure, and writes with it work", async () => {
    const signedIn = await request("POST", "/users/auth/signin", {
      body: { email: "ada@studio.test", password: "correct horse battery staple" },
      headers: { origin }
    })
    assert.strictEqual(signedIn.status, 200)
    assert.match(signedIn.headers.getSetCookie()[0] ?? "", /; Secure/)
    const made = await request("POST", `/organization/${studio.organizationId}/invitations`, {
      headers: { ...studio.cookie, origin },
      body: { email: "grace@studio.test", roleId: (await roles())[0].id }
    })
    assert.strictEqual(made.status, 201)
  })

  it("D2: a question with environment-id is answered, although nginx drops environment_id", async () => {
    const secret = await mintKey(request, studio, { permissions: ["analytics:read"] })
    const ask = (headers: Record<string, string>) =>
      request("POST", `/application/${studio.applicationId}/analytics/v1/queries/insights/execute`, {
        headers: { authorization: `Bearer ${secret}`, ...headers },
        body: {
          time: { step: "day", relative: { step: "day", value: 7 } },
          metrics: [{ id: "A", visible: true, data: { name: "Login", type: "totalEvents" } }]
        }
      })
    assert.strictEqual((await ask({ "environment-id": "1" })).status, 200)
    assert.strictEqual((await ask({ environment_id: "1" })).status, 400)
  })

  it("a stream tells of a change within a second, unbuffered", async () => {
    const key = await mintKey(request, studio, { type: "public" })
    const created = await request("POST", `/application/${studio.applicationId}/v2/configuration`, {
      headers: { ...studio.cookie, origin },
      body: { name: "main", isPrimary: true, configuration: { speed: 1 } }
    })
    assert.strictEqual(created.status, 201)
    const stream = open("GET", "/sdk/v2/stream", { headers: { authorization: key } })
    const told = await new Promise<string>((heard, failed) => {
      let text = ""
      const giveUp = setTimeout(() => failed(new Error(`nothing was heard: ${text}`)), 10_000)
      stream.on("error", failed).on("response", (response) => {
        response.on("data", (chunk: Buffer) => {
          const isFirst = text === ""
          text += chunk.toString()
          if (isFirst) {
            void request("PATCH", `/application/${studio.applicationId}/v2/configuration/${created.body.id}`, {
              headers: { ...studio.cookie, origin },
              body: { baseHash: created.body.hash, reason: "r", changes: [{ op: "set", path: ["speed"], value: 2 }] }
            })
          } else if (text.includes("configuration")) {
            clearTimeout(giveUp)
            heard(text)
          }
        })
      })
    })
    stream.destroy()
    assert.include(told, "event:")
  })

  it("polls and evaluations take the fast ways over a kept connection", async () => {
    const authorization = await mintKey(request, studio, { type: "public" })
    for (let round = 0; round < 3; round++) {
      const polled = await request("GET", "/sdk/v2/status", { headers: { authorization } })
      assert.strictEqual(polled.status, 200)
      const evaluated = await request("POST", "/sdk/v2/configurations/evaluate", {
        headers: { authorization },
        body: { configuration: "main", unit: { type: "user", distinctId: "player-1" } }
      })
      assert.strictEqual(evaluated.status, 200)
    }
  })
})
