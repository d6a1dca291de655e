import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { createServer } from "node:http"
import type { IncomingMessage } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { afterAll, beforeAll, vi } from "vitest"
import { refuseUnreadable } from "../../../src/app/Unreadable.ts"
import { refuseSlowBodies } from "../../../src/http/platform/SlowBodies.ts"
import { turn, until } from "../../support/analytics/Analyst.ts"

const bodyBytes = 100_000
const everyMillis = 100

let beginReading = () => {}
let asked: Array<IncomingMessage> = []

/** Reads the bodies of `/read`, and those of `/unread` once it is told to. */
const server = createServer((request: IncomingMessage, response) => {
  asked.push(request)
  const read = () => void request.resume().on("end", () => response.end("whole"))
  if (request.url === "/read") read()
  else beginReading = read
}).on("clientError", refuseUnreadable)

// The time between two looks passes when a test says so: on a busy machine nothing else is sure to arrive within it.
vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] })
server.on("request", refuseSlowBodies(server, { everyMillis, leastBytes: 1_000 }))
const look = () => vi.advanceTimersByTime(everyMillis)

beforeAll(() => once(server.listen(0, "127.0.0.1"), "listening"))
afterAll(() => {
  server.close()
  vi.useRealTimers()
})

/** A socket on which the head of a body was sent. What comes back ends with the connection or with `whole`. */
const begun = async (path: string) => {
  const { port }: AddressInfo = server.address() as AddressInfo
  const socket: Socket = connect(port, "127.0.0.1")
  const heard = { text: "", isOver: false }
  socket.on("data", (chunk) => {
    heard.text += chunk.toString()
    if (heard.text.includes("whole")) heard.isOver = true
  })
  socket.on("close", () => (heard.isOver = true)).on("error", () => undefined)
  await once(socket, "connect")
  socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: ${bodyBytes}\r\n\r\n`)
  return { socket, heard }
}

const received = () => asked.reduce((sum, request) => sum + request.socket.bytesRead, 0)

const arrived = async (count: number) => {
  await until(() => asked.length === count)
  // The server tells of a request a turn after it has come.
  await turn()
}

describe("E8: a body that is sent half", () => {
  it.each([1, 40])("is refused with 408 instead of staying for five minutes, where there are %i", async (count) => {
    asked = []
    const all = await Promise.all(Array.from({ length: count }, () => begun("/read")))
    for (const { socket } of all) socket.write('{"half')
    await arrived(count)
    let ended = 0
    // Node reports the end of each such connection once more, as a body that is cut off.
    const note = ({ code }: NodeJS.ErrnoException) => (ended += code === "ERR_HTTP_REQUEST_TIMEOUT" ? 1 : 0)
    server.on("clientError", note)
    look()
    look()
    const perTurn = [ended]
    await until(() => {
      perTurn.push(ended - perTurn.reduce((sum, each) => sum + each, 0))
      return all.every(({ heard }) => heard.isOver)
    })
    server.off("clientError", note)
    assert.strictEqual(ended, count)
    assert.isAtMost(Math.max(...perTurn), 4)
    for (const { heard, socket } of all) {
      assert.include(heard.text, "HTTP/1.1 408")
      assert.include(heard.text, "REQUEST_TIMEOUT")
      socket.destroy()
    }
  })

  it("is heard where it goes on arriving", async () => {
    asked = []
    const { socket, heard } = await begun("/read")
    await arrived(1)
    for (let part = 0; part < 10; part++) {
      look()
      const before = received()
      socket.write("x".repeat(bodyBytes / 10))
      await until(() => received() >= before + bodyBytes / 10)
    }
    await until(() => heard.isOver)
    assert.include(heard.text, "whole")
    socket.destroy()
  })

  it("waits where the server has not read what came", async () => {
    asked = []
    const { socket, heard } = await begun("/unread")
    socket.write("x".repeat(bodyBytes))
    await arrived(1)
    await until(() => asked.every(({ readableLength }) => readableLength > 0))
    for (let looks = 0; looks < 5; looks++) {
      look()
      await turn()
    }
    assert.isFalse(heard.isOver, heard.text)
    beginReading()
    await until(() => heard.isOver)
    assert.include(heard.text, "whole")
    socket.destroy()
  })
})
