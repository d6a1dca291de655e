import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { connect, type Socket } from "node:net"
import { refuseUnreadable } from "../../../src/app/Unreadable.ts"
import { SocketClosings } from "../../../src/http/platform/SocketClosings.ts"
import { until } from "../../support/analytics/Analyst.ts"

/** What is sent, and how a server begins with it. */
interface Way {
  readonly text: string
  readonly begin: (request: IncomingMessage, response: ServerResponse) => void
}

const ofStreams: Way = {
  text: "GET / HTTP/1.1\r\nhost: x\r\n\r\n",
  begin: (_, response) => void response.writeHead(200).write(":\n\n")
}

const ofBodies: Way = {
  text: 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9000\r\n\r\n{"a',
  begin: (request) => void request.on("error", () => undefined).resume()
}

const ofIdle: Way = {
  text: "GET / HTTP/1.1\r\nhost: x\r\n\r\n",
  begin: (_, response) => void response.end()
}

/** Requests, of which all but one are ended at once: how many closed in a turn at most, and how often a socket was looked at whether to stop reading it. */
const endTogether = async (count: number, { text, begin }: Way, end: (socket: Socket) => void) => {
  const turns: Array<number> = []
  let [begun, closed, looks] = [0, 0, 0]
  const closings = new SocketClosings()
  const server = createServer({ keepAliveTimeout: 600_000 }).on("clientError", refuseUnreadable)
  server.on("connection", (socket) => {
    closings.watch(socket)
    const isPaused = socket.isPaused.bind(socket)
    socket.isPaused = () => {
      looks++
      return isPaused()
    }
    socket.once("close", () => {
      if (closed++ === 0) setImmediate(nextTurn)
    })
  })
  server.on("request", (request, response) => {
    begun++
    closings.touch(request.socket)
    begin(request, response)
  })
  const nextTurn = () => {
    turns.push(closed - turns.reduce((sum, each) => sum + each, 0))
    if (closed < count) setImmediate(nextTurn)
  }
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const sockets: Array<Socket> = []
  while (sockets.length < count + 1) {
    const socket = connect(port, "127.0.0.1", () => socket.write(text)).on("error", () => undefined)
    sockets.push(socket)
    await until(() => begun === sockets.length)
  }
  const last = sockets.pop()
  for (const socket of sockets) end(socket)
  await until(() => closed >= count)
  // Who stayed is still heard: its end is seen as well.
  assert.strictEqual(closed, count)
  last?.destroy()
  await until(() => closed > count)
  await new Promise((resolve) => server.close(resolve))
  return { mostInATurn: Math.max(...turns), looks }
}

describe.each([
  ["streams", ofStreams],
  ["bodies that are half here", ofBodies],
  ["connections that ask for nothing any more", ofIdle]
])("E8: %s that end together", (_, way) => {
  const ends = [
    ["by saying so", (socket: Socket) => socket.destroy()],
    ["by breaking off", (socket: Socket) => socket.resetAndDestroy()]
  ] as const
  for (const [name, end] of ends) {
    it(`${name} are ended some in each turn, and those that go on are heard`, async () => {
      const { mostInATurn, looks } = await endTogether(600, way, end)
      assert.isAtMost(mostInATurn, 2 * 16)
      // Those that are not read already are not looked at again, however many turns it takes.
      assert.isAtMost(looks, 3 * 600)
    })
  }
})
