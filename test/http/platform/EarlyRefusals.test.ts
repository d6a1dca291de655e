import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { createServer } from "node:http"
import { connect } from "node:net"
import { afterAll, beforeAll } from "vitest"
import { MemoryStores } from "../../../src/app/Layers.ts"
import { refuseEarly } from "../../../src/http/platform/EarlyRefusals.ts"
import { VitalAnswers } from "../../../src/http/operations/VitalAnswers.ts"
import { until } from "../../support/analytics/Analyst.ts"
import { type Endpoint, endpoints } from "../../support/Endpoints.ts"
import { type Listening, listening } from "../../support/game/Listening.ts"
import type { Answer } from "../../support/TestApp.ts"

let built: Listening

beforeAll(async () => {
  built = await listening(MemoryStores)
})

/** Fields that differ from answer to answer, or say whether the connection goes on. */
const own = new Set(["x-request-id", "date", "connection", "keep-alive", "transfer-encoding"])

const toldOf = ({ status, headers, body }: Answer) => ({
  status,
  body,
  fields: [...headers].filter(([name]) => !own.has(name)).sort()
})

const pathOf = ({ path }: Endpoint) => path.replaceAll(/:\w+/g, "1")
const json = { "content-type": "application/json" }
const mebibyte = String(1024 ** 2)

/** Whether each request was refused early by a server that does nothing else. */
const refusals: Array<boolean> = []
const server = createServer((request, response) => {
  const isRefused = refuseEarly(request, response, {})
  refusals.push(isRefused)
  if (!isRefused) response.end()
})

beforeAll(() => once(server.listen(0, "127.0.0.1"), "listening"))
afterAll(() => void server.close())

/** Whether a request with this head is refused before any of its body has come. */
const isRefused = async (method: string, path: string, fields: Readonly<Record<string, string>>) => {
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const socket = connect(port, "127.0.0.1").on("error", () => undefined)
  const count = refusals.length
  const lines = Object.entries({ host: "x", ...fields }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`)
  await until(() => refusals.length > count)
  socket.destroy()
  return refusals[count]
}

const closed = endpoints().filter(({ kinds }) => kinds.length > 0)
const open = endpoints().filter(
  ({ kinds, payload, rawBody, method }) => kinds.length === 0 && payload !== undefined && !rawBody && method !== "GET"
)
const named = (all: ReadonlyArray<Endpoint>) => all.map((endpoint) => [endpoint.method, pathOf(endpoint)] as const)

describe("E8: whoever shows no credential where one is needed", () => {
  it.each(named(closed))("is refused before the body of %s %s has come", async (method, path) => {
    assert.isTrue(await isRefused(method, path, { ...json, "content-length": "1000" }))
  })

  it("hears what the platform says to an empty session, of every endpoint", async () => {
    for (const [method, path] of named(closed)) {
      const early = await built.request(method, path, { headers: { "content-length": "0" } })
      const late = await built.request(method, path, { headers: { "content-length": "0", cookie: "auth-token=" } })
      assert.deepStrictEqual(toldOf(early), toldOf(late), `${method} ${path}`)
      assert.strictEqual(early.status, 401)
    }
  })
})

describe("E8: a body that nobody would read", () => {
  it.each(named(open))("is refused before any of it has come: %s %s", async (method, path) => {
    assert.isTrue(await isRefused(method, path, { ...json, "content-length": mebibyte }))
    assert.isTrue(await isRefused(method, path, { ...json, "content-encoding": "gzip", "content-length": "9" }))
    assert.isTrue(await isRefused(method, path, { "content-type": "text/plain", "content-length": "9" }))
    assert.isFalse(await isRefused(method, path, { ...json, "content-length": "9" }))
  })
})

describe("E8: what may have a reason to be heard is left to the platform", () => {
  const asked = ["POST", "/application/1/v2/configuration"] as const
  it.each([
    ["a key", asked, { authorization: "Bearer x" }],
    ["a session", asked, { cookie: "a=1; auth-token=x" }],
    ["a reason", asked, { "x-change-reason": "a" }],
    ["a character that no store keeps", ["GET", "/organization/1/api-keys?a=%00"], {}],
    ["a path that nobody answers", ["POST", "/nowhere"], {}],
    ["a method that its path does not take", ["DELETE", "/health"], {}],
    ["a preflight", ["OPTIONS", "/sdk/v1/markers"], {}],
    ["tools for assistants", ["POST", "/mcp"], {}],
    ["a link", ["GET", "/d/a"], {}]
  ] as const)("%s", async (_, [method, path], fields) => {
    assert.isFalse(await isRefused(method, path, { ...json, "content-length": "2", ...fields }))
  })
})

describe("E8: whether the server lives, is ready, and what it is", () => {
  const paths = endpoints().flatMap(({ name, path }) => (name.startsWith("system.") ? [path] : []))

  it.each(paths)("is said without the platform, and as it says it: %s", async (path) => {
    const vital = await built.run(VitalAnswers)
    const taken: Array<boolean> = []
    const bare = createServer((request, response) => {
      taken.push(vital.answer(request, response))
      if (taken.at(-1) === false) response.end()
    })
    await once(bare.listen(0, "127.0.0.1"), "listening")
    const address = bare.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    assert.strictEqual((await fetch(`http://127.0.0.1:${port}${path}?a=1`)).status, 200)
    await fetch(`http://127.0.0.1:${port}${path}/`)
    await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", body: "a" })
    await fetch(`http://127.0.0.1:${port}${path}?a=%00`)
    assert.deepStrictEqual(taken, [true, false, false, false])
    bare.close()
    const quick = toldOf(await built.request("GET", path))
    assert.deepStrictEqual(quick, toldOf(await built.request("GET", `${path}/`)))
    assert.strictEqual(quick.status, 200)
  })
})
