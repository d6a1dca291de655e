import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { createServer, type IncomingMessage } from "node:http"
import { connect, type Socket } from "node:net"
import { StreamClosings } from "../../../src/http/platform/StreamClosings.ts"

const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5))
}

const opened = (port: number) =>
  new Promise<Socket>((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n"))
    socket.once("data", () => resolve(socket)).on("error", () => undefined)
  })

/** Streams of which all but one are ended at once: how many closed in a turn at most, and those that are still open. */
const endTogether = async (
  count: number,
  watch: (socket: IncomingMessage["socket"]) => void,
  end: (socket: Socket) => void
) => {
  const turns: Array<number> = []
  let closed = 0
  const server = createServer((request, response) => {
    response.writeHead(200).write(":\n\n")
    watch(request.socket)
    response.once("close", () => {
      if (closed++ === 0) setImmediate(nextTurn)
    })
  })
  const nextTurn = () => {
    turns.push(closed - turns.reduce((sum, each) => sum + each, 0))
    if (closed < count) setImmediate(nextTurn)
  }
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const sockets: Array<Socket> = []
  while (sockets.length < count + 1) sockets.push(await opened(port))
  const last = sockets.pop()
  for (const socket of sockets) end(socket)
  await until(() => closed >= count)
  // Who stayed is still heard: its end is seen as well.
  assert.strictEqual(closed, count)
  last?.destroy()
  await until(() => closed > count)
  await new Promise((resolve) => server.close(resolve))
  return Math.max(...turns)
}

describe("E8: streams that end together", () => {
  const ways = [
    ["by saying so", (socket: Socket) => socket.destroy()],
    ["by breaking off", (socket: Socket) => socket.resetAndDestroy()]
  ] as const
  for (const [way, end] of ways) {
    it(`${way} are ended some in each turn, and those that go on are heard`, async () => {
      const closings = new StreamClosings()
      assert.isAtMost(await endTogether(600, (socket) => closings.watch(socket), end), 2 * 64)
    })
  }
})
