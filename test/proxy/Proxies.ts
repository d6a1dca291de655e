// Proxies with TLS in front of the built server. Those that are not installed are left out.
import { assert, afterAll, beforeAll, describe, it } from "vitest"
import { type ChildProcess, spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { Agent, request as send } from "node:https"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { mintKey, openStudio, type Studio } from "../support/access/Studio.ts"
import { startServer } from "../support/Server.ts"
import type { Answer, Call } from "../support/TestApp.ts"
import { caddies } from "./Caddy.ts"
import { nginxes } from "./Nginx.ts"
import { freePort } from "./Proxy.ts"

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const isInstalled = (command: string, argument: string) => spawnSync(command, [argument]).status === 0

const proxies = [
  ...(isInstalled("nginx", "-v") && isInstalled("openssl", "version") ? nginxes : []),
  ...(isInstalled("caddy", "version") ? caddies : [])
]

it("there is a proxy to test behind", () => assert.isNotEmpty(proxies))

describe.each(proxies)("behind $name with TLS", (proxy) => {
  const folder = mkdtempSync(join(tmpdir(), "gamekeeper-proxy-"))
  const inFolder = (name: string) => join(folder, name)
  let server: Awaited<ReturnType<typeof startServer>>
  let running: ChildProcess
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
    running = await proxy.start({ upstream: server.url, port, inFolder })
    const certificate = inFolder(proxy.certificate)
    for (let tries = 0; tries < 200 && !existsSync(certificate); tries++) await sleep(50)
    agent = new Agent({ ca: readFileSync(certificate), keepAlive: true })
    for (let tries = 0; tries < 100; tries++) {
      const isUp = await request("GET", "/health").then(
        ({ status }) => status === 200,
        () => false
      )
      if (isUp) break
      await sleep(50)
    }
    studio = await openStudio(request, "ada")
  })

  afterAll(async () => {
    agent.destroy()
    running.kill("SIGTERM")
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

  it("D2: a question with environment-id is answered, whether or not environment_id is dropped on the way", async () => {
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
    assert.strictEqual((await ask({ environment_id: "1" })).status, proxy.dropsUnderscores ? 400 : 200)
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

  it("the address of the caller is that of the client; what it claims to be counts only where the proxy names no caller", async () => {
    const claimed = "203.0.113.9"
    await request("POST", "/users/auth/signin", {
      body: { email: "ada@studio.test", password: "correct horse battery staple" },
      headers: { origin, "x-forwarded-for": claimed }
    })
    const attempts = await request("GET", "/users/sign-ins", { headers: studio.cookie })
    assert.strictEqual(attempts.status, 200, attempts.text)
    assert.strictEqual(attempts.text.includes(claimed), !proxy.namesCaller)
    assert.include(attempts.text, "127.0.0.1")
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
