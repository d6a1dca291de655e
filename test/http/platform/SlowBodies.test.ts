import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { createServer } from "node:http"
import type { IncomingMessage } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { afterAll, beforeAll } from "vitest"
import { refuseUnreadable } from "../../../src/app/Unreadable.ts"
import { refuseSlowBodies } from "../../../src/http/platform/SlowBodies.ts"

const bodyBytes = 100_000

let beginReading = () => {}

/** Reads the bodies of `/read`, and those of `/unread` once it is told to. */
const server = createServer((request: IncomingMessage, response) => {
  const read = () => void request.resume().on("end", () => response.end("whole"))
  if (request.url === "/read") read()
  else beginReading = read
}).on("clientError", refuseUnreadable)

const watch = refuseSlowBodies(server, { everyMillis: 100, leastBytes: 1_000 })
server.on("request", watch)

beforeAll(() => once(server.listen(0, "127.0.0.1"), "listening"))
afterAll(() => void server.close())

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Sends the head and the parts of a body, with a pause after each, and says when all are sent; answers what comes back until the connection ends or it says `whole`. */
const sent = async (path: string, parts: ReadonlyArray<string>, pauseMillis: number, allSent = () => {}) => {
  const { port }: AddressInfo = server.address() as AddressInfo
  const socket = connect(port, "127.0.0.1")
  let text = ""
  const ended = new Promise<void>((resolve) => {
    socket.on("data", (chunk) => {
      text += chunk.toString()
      if (text.includes("whole")) resolve()
    })
    socket.on("close", () => resolve()).on("error", () => resolve())
  })
  await once(socket, "connect")
  socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: ${bodyBytes}\r\n\r\n`)
  for (const part of parts) {
    socket.write(part)
    await sleep(pauseMillis)
  }
  allSent()
  await ended
  socket.destroy()
  return text
}

describe("E8: a body that is sent half", () => {
  it("is refused with 408 instead of staying for five minutes", async () => {
    const answer = await sent("/read", ['{"half'], 0)
    assert.include(answer, "HTTP/1.1 408")
    assert.include(answer, "REQUEST_TIMEOUT")
  })

  it("is refused as well where many are", async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => sent("/read", ['{"half'], 0)))
    for (const answer of answers) assert.include(answer, "HTTP/1.1 408")
  })

  it("is heard where it goes on arriving", async () => {
    const parts = Array.from({ length: 10 }, () => "x".repeat(bodyBytes / 10))
    assert.include(await sent("/read", parts, 60), "whole")
  })

  it("waits where the server has not read what came", async () => {
    const all = "x".repeat(bodyBytes)
    assert.include(await sent("/unread", [all], 500, () => beginReading()), "whole")
  })
})
