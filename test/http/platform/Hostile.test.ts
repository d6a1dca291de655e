import { assert, describe, it } from "@effect/vitest"
import { HttpServer } from "@effect/platform"
import { Effect, FastCheck as fc, Layer, Logger, ManagedRuntime } from "effect"
import { STATUS_CODES } from "node:http"
import { connect } from "node:net"
import { afterAll, beforeAll } from "vitest"
import { BackupFolderMemory } from "../../../src/adapters/memory/operations/BackupFolder.ts"
import { defaults } from "../../../src/app/Config.ts"
import { Http } from "../../../src/app/Http.ts"
import { MemoryStores } from "../../../src/app/Layers.ts"
import { SettingsLive } from "../../../src/app/SettingsLive.ts"
import { Listen, RouterConfig } from "../../../src/app/Server.ts"
import { QuickNode } from "../../support/access/QuickNode.ts"
import { envelopeKeys } from "../../support/TestApp.ts"

const runtime = ManagedRuntime.make(
  Listen("127.0.0.1", 0).pipe(
    Layer.provide(Http),
    Layer.provide(RouterConfig),
    Layer.provide(BackupFolderMemory),
    Layer.provide(MemoryStores),
    Layer.provide(SettingsLive({ ...defaults, rateLimits: false })),
    Layer.provide(QuickNode),
    Layer.provide(Logger.remove(Logger.defaultLogger))
  )
)
afterAll(() => runtime.dispose())

let port = 0

beforeAll(async () => {
  const address = await runtime.runPromise(Effect.map(HttpServer.HttpServer, (server) => server.address))
  assert(address._tag === "TcpAddress")
  port = address.port
})

type Bytes = string | Uint8Array

/** All that the server says to these bytes until it hangs up; the client stops speaking after them unless it is to wait. */
const say = (parts: ReadonlyArray<Bytes>, waits = false): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port })
    const heard: Array<Buffer> = []
    socket.setTimeout(120_000, () => {
      socket.destroy()
      reject(new Error(`no end after ${parts.map(String).join("").slice(0, 200)}`))
    })
    socket.on("data", (chunk) => heard.push(chunk))
    socket.on("error", () => undefined)
    socket.on("close", () => resolve(Buffer.concat(heard).toString("latin1")))
    for (const part of parts) socket.write(part)
    if (!waits) socket.end()
  })

const isWell = async () => {
  const health = await fetch(`http://127.0.0.1:${port}/health`)
  assert.strictEqual(health.status, 200)
}

interface Answer {
  readonly status: number
  readonly body: string
}

/** The answers in what was heard, one after another. */
const answersIn = (heard: string): ReadonlyArray<Answer> => {
  const answers: Array<Answer> = []
  let rest = heard
  while (rest !== "") {
    const end = rest.indexOf("\r\n\r\n")
    const head = rest.slice(0, end)
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1])
    assert.isTrue(end > 0 && status >= 100, `no HTTP: ${rest.slice(0, 200)}`)
    const length = Number(
      /^content-length: (\d+)$/im.exec(head)?.[1] ?? (/^transfer-encoding:/im.test(head) ? Infinity : 0)
    )
    const body = rest.slice(end + 4, end + 4 + length)
    rest = rest.slice(end + 4 + length)
    answers.push({ status, body })
  }
  return answers
}

/** Statuses of the answers, each refusal of which is in the envelope. */
const statusesOf = (heard: string): ReadonlyArray<number> =>
  answersIn(heard).map(({ status, body }) => {
    if (status >= 400 && status !== 417) {
      const refusal = JSON.parse(body)
      assert.includeMembers([...envelopeKeys, "errorCode"], Object.keys(refusal))
      assert.deepStrictEqual([refusal.statusCode, refusal.error], [status, STATUS_CODES[status]])
    }
    return status
  })

/** What Node answers to a request without a host, and the server to a client who has hung up: no body, and nothing after it. */
const isBare = (heard: string): boolean =>
  answersIn(heard).every(({ status, body }) => (status === 400 || status === 503) && body === "0\r\n\r\n")

const get = (path: string, ...headers: ReadonlyArray<string>) =>
  ["GET " + path + " HTTP/1.1", "Host: x", ...headers, "Connection: close", "", ""].join("\r\n")

const post = (path: string, ...headers: ReadonlyArray<string>) =>
  ["POST " + path + " HTTP/1.1", "Host: x", "Content-Type: application/json", ...headers, "", ""].join("\r\n")

const signIn = '{"email":"a@b.c","password":"correct horse"}'

describe("a server on a socket", () => {
  it("refuses what is no request, in the envelope, and hangs up", async () => {
    const unreadable = [
      "GARBAGE\r\n\r\n",
      "GET\r\n\r\n",
      "GET /health HTTP/9.9\r\n\r\n",
      "FOO /health HTTP/1.1\r\nHost: x\r\n\r\n",
      "get /health HTTP/1.1\r\nHost: x\r\n\r\n",
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      "GET /health HTTP/1.1\r\nno colon\r\n\r\n",
      "GET /health HTTP/1.1\r\nHost: x\r\nna me: y\r\n\r\n",
      "GET /health HTTP/1.1\r\nHost: x\r\nhOST: y\r\n\r\n",
      "GET /health HTTP/1.0\r\nHost: x\r\nHost: x\r\n\r\n",
      "GET /health HTTP/1.1\r\nHost: x\r\nname: a\u0000b\r\n\r\n",
      post("/users/auth/signin", "Content-Length: -1"),
      post("/users/auth/signin", "Content-Length: 1", "Content-Length: 2") + "{}",
      post("/users/auth/signin", "Content-Length: 2", "Transfer-Encoding: chunked") + "0\r\n\r\n",
      post("/users/auth/signin", "Transfer-Encoding: chunked") + "zz\r\n{}\r\n0\r\n\r\n",
      "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003"
    ]
    for (const request of unreadable) {
      assert.deepStrictEqual(statusesOf(await say([request])), [400], request)
      await isWell()
    }
  })

  it("hangs up on who says nothing", async () => {
    for (const request of ["", "\r\n\r\n\r\n", "GET /health HT", "GET /health HTTP/1.1\r\nHost: x\r\n"]) {
      const statuses = statusesOf(await say([request]))
      assert.isTrue(
        statuses.every((status) => status === 400),
        request
      )
      await isWell()
    }
  })

  it("refuses headers and paths past any measure", async () => {
    const bombs = [
      get("/health", `X-Bomb: ${"x".repeat(100_000)}`),
      get("/health", ...Array.from({ length: 5000 }, (_, index) => `X-${index}: x`)),
      get(`/${"x".repeat(100_000)}`),
      get("/health", `Cookie: ${"a=b; ".repeat(20_000)}`)
    ]
    for (const bomb of bombs) {
      assert.deepStrictEqual(statusesOf(await say([bomb])), [431])
      await isWell()
    }
  })

  it("answers a path of any form", async () => {
    const paths = new Map([
      ["/health?", 200],
      ["/health/", 200],
      ["http://elsewhere.test/health", 200],
      ["//", 404],
      ["///health", 404],
      ["/%", 404],
      ["/%00", 404],
      ["/\u00ff\u00fe", 400],
      ["http://[::1", 404],
      ["/users/%2e%2e/picture", 400],
      ["/..%2f..%2fetc/passwd", 404],
      ["/../../etc/passwd", 404]
    ])
    for (const [path, status] of paths) {
      assert.deepStrictEqual(statusesOf(await say([Buffer.from(get(path), "latin1")])), [status], path)
      await isWell()
    }
  })

  it("answers a method that it knows nowhere", async () => {
    for (const method of ["PURGE", "TRACE", "PROPFIND", "M-SEARCH", "OPTIONS"]) {
      const heard = await say([get("/health").replace("GET", method)])
      assert.deepStrictEqual(statusesOf(heard), [405], method)
      assert.match(heard, /^allow: GET, HEAD\r$/im)
    }
    assert.deepStrictEqual(statusesOf(await say(["CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n"])), [])
    assert.deepStrictEqual(statusesOf(await say([get("*").replace("GET", "OPTIONS")])), [404])
    await isWell()
  })

  it("takes no more of a body than it may have, and none that ends too soon", async () => {
    const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`
    const endless = Array.from({ length: 40 }, () => chunk)
    const large = await say([post("/users/auth/signin", "Transfer-Encoding: chunked", "Connection: close"), ...endless])
    assert.isTrue(statusesOf(large).every((status) => status === 413 || status === 400))
    const announced = await say([post("/users/auth/signin", "Content-Length: 99999999"), "{"])
    assert.deepStrictEqual(statusesOf(announced)[0], 413)
    for (const path of ["/users/auth/signin", "/sdk/v1/markers", "/organization/1/icon"]) {
      for (const framing of ["Content-Length: 50", "Transfer-Encoding: chunked"]) {
        const statuses = statusesOf(await say([post(path, framing), '{"em']))
        assert.isTrue(
          statuses.every((status) => status === 400 || status === 401 || status === 405),
          `${path} ${framing}`
        )
        await isWell()
      }
    }
  })

  it("answers many requests sent at once in their order, up to the first that is none", async () => {
    const one = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
    const paths = Array.from({ length: 50 }, (_, index) => (index % 3 === 0 ? "/nowhere" : "/health"))
    const expected = paths.map((path) => (path === "/health" ? 200 : 404))
    assert.deepStrictEqual(statusesOf(await say([paths.map(one).join("") + get("/health")], true)), [...expected, 200])
    const broken = statusesOf(await say([one("/health") + one("/health") + "GARBAGE\r\n\r\n"]))
    assert.isTrue(broken.every((status) => status === 200 || status === 400))
    await isWell()
  })

  it("answers what it is asked to expect or to become", async () => {
    const length = `Content-Length: ${signIn.length}`
    const expecting = post("/users/auth/signin", length, "Expect: 100-continue", "Connection: close") + signIn
    assert.deepStrictEqual(statusesOf(await say([expecting], true)), [100, 401])
    const odd = post("/users/auth/signin", length, "Expect: miracles", "Connection: close") + signIn
    assert.deepStrictEqual(statusesOf(await say([odd], true)), [417])
    const upgrade = get("/health", "Upgrade: websocket", "Sec-WebSocket-Version: 13").replace("close", "Upgrade")
    const statuses = statusesOf(await say([upgrade]))
    assert.isTrue(statuses.every((status) => status < 500))
    await isWell()
  })

  it("stands whatever becomes of the bytes of a request", async () => {
    const whole = Buffer.from(
      post("/users/auth/signin", `Content-Length: ${signIn.length}`, "Connection: close") + signIn
    )
    const change = fc.record({ at: fc.nat(whole.length - 1), bytes: fc.uint8Array({ maxLength: 4 }), cut: fc.nat(3) })
    const changed = fc.array(change, { minLength: 1, maxLength: 4 }).map((changes) =>
      changes.reduce((bytes, { at, cut, bytes: put }) => {
        return Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + cut)])
      }, whole)
    )
    for (const bytes of fc.sample(changed, { numRuns: 300, seed: 20_261_121 })) {
      const heard = await say([bytes])
      const statuses = isBare(heard) ? [] : statusesOf(heard)
      assert.isTrue(
        statuses.every((status) => status < 500),
        bytes.toString("latin1")
      )
    }
    await isWell()
  })
})
