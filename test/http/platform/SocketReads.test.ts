import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { connect, type Socket } from "node:net"
import { refuseUnreadable } from "../../../src/app/Unreadable.ts"
import { behindPerTurn, SocketReads } from "../../../src/http/platform/SocketReads.ts"
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
  const reads = new SocketReads()
  const server = createServer({ keepAliveTimeout: 600_000 }).on("clientError", refuseUnreadable)
  server.on("connection", (socket) => {
    reads.watch(socket)
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
    reads.touch(request.socket, response.socket === null)
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

describe("E8: requests that many connections send without waiting for answers", () => {
  const packet = 500
  const connections = 30

  it("are read some in each turn, and who asks for one thing is heard between them", async () => {
    const turns: Array<number> = []
    let [told, isTurn, toldBeforeOther] = [0, false, -1]
    const reads = new SocketReads()
    const answers: Array<ServerResponse> = []
    let accepted = 0
    const server = createServer().on("connection", reads.watch)
    server.on("connection", () => accepted++)
    server.on("request", (request, response) => {
      reads.touch(request.socket, response.socket === null)
      if (request.url === "/other") {
        toldBeforeOther = told
        response.end()
        return
      }
      answers.push(response)
      told++
      if (!isTurn) {
        isTurn = true
        turns.push(0)
        setImmediate(() => (isTurn = false))
      }
      turns.push((turns.pop() ?? 0) + 1)
    })
    await once(server.listen(0, "127.0.0.1"), "listening")
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const sockets = Array.from({ length: connections + 1 }, () =>
      connect(port, "127.0.0.1").on("error", () => undefined)
    )
    await until(() => accepted === connections + 1)
    const other = sockets.pop()
    for (const socket of sockets) socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n".repeat(packet))
    other?.write("GET /other HTTP/1.1\r\nhost: x\r\n\r\n")
    await until(() => told === connections * packet && toldBeforeOther >= 0)
    assert.isAtMost(Math.max(...turns), behindPerTurn + packet)
    assert.isBelow(toldBeforeOther, told / 2)
    assert.strictEqual(answers.length, told)
    for (const socket of [...sockets, other]) socket?.destroy()
    await new Promise((resolve) => server.close(resolve))
  })

  it("keep nobody waiting for as long as they go on, also when none of them sends many at once", async () => {
    const few = 60
    const most = 30_000
    let [told, toldBeforeOther, accepted] = [0, -1, 0]
    const reads = new SocketReads()
    const server = createServer().on("connection", reads.watch)
    server.on("connection", () => accepted++)
    server.on("request", (request, response) => {
      reads.touch(request.socket, response.socket === null)
      if (request.url === "/other") toldBeforeOther = told
      else told++
      response.end()
    })
    await once(server.listen(0, "127.0.0.1"), "listening")
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const open = () => connect(port, "127.0.0.1").on("error", () => undefined)
    const other = open()
    await until(() => accepted === 1)
    const sockets = Array.from({ length: 4 * connections }, open)
    await until(() => accepted === 1 + sockets.length)
    for (const socket of sockets) {
      const send = () => void socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n".repeat(few))
      // Sends as many more whenever some are answered, so that requests never end.
      socket.on("data", send)
      send()
    }
    await until(() => told > most / 5)
    other.write("GET /other HTTP/1.1\r\nhost: x\r\n\r\n")
    await until(() => toldBeforeOther >= 0 || told > most)
    assert.isAtLeast(toldBeforeOther, 0, `it was not read before ${told} others`)
    for (const socket of [...sockets, other]) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })

  it("are a matter of some turns: those that ask for nothing are read again, and nothing is done any more", async () => {
    let [told, accepted, stops] = [0, 0, 0]
    const reads = new SocketReads()
    const server = createServer().on("connection", reads.watch)
    server.on("connection", (socket) => {
      accepted++
      const pause = socket.pause.bind(socket)
      socket.pause = () => {
        stops++
        return pause()
      }
    })
    server.on("request", (request, response) => {
      told++
      reads.touch(request.socket, response.socket === null)
    })
    await once(server.listen(0, "127.0.0.1"), "listening")
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const sockets = Array.from({ length: 10 * connections }, () =>
      connect(port, "127.0.0.1").on("error", () => undefined)
    )
    await until(() => accepted === sockets.length)
    sockets[0]?.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n".repeat(packet))
    await until(() => told === packet)
    for (let turn = 0; turn < sockets.length; turn++) await new Promise(setImmediate)
    const stopped = stops
    assert.isAtLeast(stopped, sockets.length)
    for (let turn = 0; turn < sockets.length; turn++) await new Promise(setImmediate)
    assert.strictEqual(stops, stopped)
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
})
