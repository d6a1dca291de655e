import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { afterAll, beforeAll } from "vitest"
import { MemoryStores } from "../../../src/app/Layers.ts"
import { awaitOpenBody, maxOpenBody } from "../../../src/http/platform/OpenBodies.ts"
import { turn, until } from "../../support/analytics/Analyst.ts"
import { endpoints } from "../../support/Endpoints.ts"
import { listening } from "../../support/game/Listening.ts"

interface Came {
  isTaken: boolean
  begun: number
  isOver: boolean
}

let came: Array<Came> = []

const server = createServer((request, response) => {
  const one: Came = { isTaken: false, begun: 0, isOver: false }
  came.push(one)
  response.once("close", () => (one.isOver = true))
  one.isTaken = awaitOpenBody(request, () => {
    one.begun++
    response.end()
  })
  if (!one.isTaken) response.end()
})

beforeAll(() => once(server.listen(0, "127.0.0.1"), "listening"))
afterAll(() => void server.close())

/** Sends a request and part of its body, and answers what the server makes of it. */
const send = async (method: string, path: string, fields: ReadonlyArray<string>, ...parts: ReadonlyArray<string>) => {
  const { port }: AddressInfo = server.address() as AddressInfo
  const socket = connect(port, "127.0.0.1").on("error", () => undefined)
  const count = came.length
  socket.write(`${method} ${path} HTTP/1.1\r\nhost: x\r\n${fields.map((field) => `${field}\r\n`).join("")}\r\n`)
  await until(() => came.length > count)
  for (const part of parts) socket.write(part)
  const [one] = came.slice(count)
  return { one: one!, socket }
}

const open = endpoints().filter(
  ({ kinds, payload, rawBody, method }) => kinds.length === 0 && payload !== undefined && !rawBody && method !== "GET"
)
const json = "content-type: application/json"
const signIn = ["POST", "/users/auth/signin"] as const

describe("E8: a body that anybody may send", () => {
  it.each(open.map(({ method, path }) => [method, path.replaceAll(/:\w+/g, "1")] as const))(
    "of %s %s begins nothing before it is whole, nor where its sender leaves",
    async (method, path) => {
      came = []
      const { one, socket } = await send(method, path, [json, "content-length: 9"], '{"a')
      for (let looks = 0; looks < 5; looks++) await turn()
      assert.deepStrictEqual(one, { isTaken: true, begun: 0, isOver: false })
      socket.destroy()
      await until(() => one.isOver)
      assert.strictEqual(one.begun, 0)
      const whole = await send(method, path, [json, "content-length: 9"], '{"a', '":123}')
      await until(() => whole.one.begun > 0)
      assert.strictEqual(whole.one.begun, 1)
      whole.socket.destroy()
    }
  )

  it("of unknown length is handed on when it goes beyond the limit", async () => {
    came = []
    const size = 4096
    const chunk = `${size.toString(16)}\r\n${"x".repeat(size)}\r\n`
    const { one, socket } = await send(
      ...signIn,
      [json, "transfer-encoding: chunked"],
      chunk.repeat(maxOpenBody / size)
    )
    for (let looks = 0; looks < 20; looks++) await turn()
    assert.strictEqual(one.begun, 0)
    socket.write(chunk)
    await until(() => one.begun > 0)
    socket.end(`${chunk}0\r\n\r\n`)
    await until(() => one.isOver)
    assert.strictEqual(one.begun, 1)
  })

  it.each([
    ["one that is too long", [json, `content-length: ${maxOpenBody + 1}`], ...signIn],
    ["one in gzip", [json, "content-encoding: gzip", "content-length: 9"], ...signIn],
    ["none", [json, "content-length: 0"], ...signIn],
    ["one that needs a credential", [json, "content-length: 9"], "POST", "/application/1/v2/configuration"],
    ["one at a path that nobody answers", [json, "content-length: 9"], "POST", "/nowhere"]
  ] as const)("is not awaited: %s", async (_, fields, method, path) => {
    came = []
    const { one, socket } = await send(method, path, fields)
    assert.isFalse(one.isTaken)
    socket.destroy()
  })
})

describe("E8: the built-up server answers a body that it awaited as one that the platform reads", () => {
  let address: { readonly port: number }

  beforeAll(async () => {
    address = (await listening(MemoryStores)).address
  })

  const chunked = "transfer-encoding: chunked"
  const inOne = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n0\r\n\r\n`
  const signInBody = JSON.stringify({ email: "ada@studio.test", password: "wrong horse battery" })
  const sized = (text: string) => [json, `content-length: ${Buffer.byteLength(text)}`]

  it.each([
    ["a sign-in that fails", sized(signInBody), signInBody, 401, "INVALID_CREDENTIALS"],
    ["the same of unknown length", [json, chunked], inOne(signInBody), 401, "INVALID_CREDENTIALS"],
    ["no JSON", sized("{"), "{", 400, "MALFORMED_JSON"],
    ["unknown fields", sized('{"a":1}'), '{"a":1}', 400, "VALIDATION_FAILED"],
    [
      "one of unknown length that is too long",
      [json, chunked],
      inOne("x".repeat(maxOpenBody + 1)),
      413,
      "PAYLOAD_TOO_LARGE"
    ],
    ["another type", ["content-type: text/plain", "content-length: 2"], "{}", 415, "UNSUPPORTED_MEDIA_TYPE"]
  ])("%s", async (_, fields, body, status, code) => {
    const socket = connect(address.port, "127.0.0.1").on("error", () => undefined)
    let heard = ""
    socket.on("data", (chunk) => (heard += chunk.toString()))
    socket.write(
      `POST /users/auth/signin HTTP/1.1\r\nhost: x\r\n${fields.map((field) => `${field}\r\n`).join("")}\r\n${body}`
    )
    await until(() => heard.endsWith("}"))
    assert.match(heard, new RegExp(`^HTTP/1.1 ${status} `))
    assert.include(heard, `"code":"${code}"`)
    socket.destroy()
  })
})
