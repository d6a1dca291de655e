import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { Agent, createServer, request as httpRequest, type RequestListener, ServerResponse } from "node:http"
import { type AddressInfo, connect, Server } from "node:net"
import { setImmediate } from "node:timers/promises"
import { afterEach, vi } from "vitest"
import { MemoryStores } from "../../../src/app/Layers.ts"
import { RestingSockets } from "../../../src/http/platform/RestingSockets.ts"
import { listening } from "../../support/game/Listening.ts"

afterEach(() => void vi.restoreAllMocks())

/** Sockets of one kind that are read in a turn: those that did not have to rest, and those that have rested. */
const mostPerTurn = 64

const servers: Array<Server> = []
afterEach(() => servers.splice(0).forEach((server) => void server.close()))

/** A server that refuses every path but `/health`. */
const refusing = async () => {
  const resting = new RestingSockets()
  const listener: RequestListener = (request, response) => {
    const isRefused = request.url !== "/health"
    if (isRefused) resting.refuse(request, request.headers.authorization ?? "nobody")
    else resting.take(request)
    response.writeHead(isRefused ? 503 : 200, { "content-length": "2" }).end("no")
  }
  const server = createServer(listener)
  servers.push(server)
  let connections = 0
  server.on("connection", () => connections++)
  await once(server.listen(0, "127.0.0.1"), "listening")
  return { resting, port: (server.address() as AddressInfo).port, connections: () => connections }
}

type Ask = (path: string, body?: string, headers?: Record<string, string>) => Promise<number>

/** Somebody with a connection of its own. */
const visitorTo = (port: number): { readonly ask: Ask; readonly leave: () => void } => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask: Ask = (path, body = "", headers = {}) =>
    new Promise((resolve, reject) => {
      const method = body === "" ? "GET" : "POST"
      const sent = httpRequest({ host: "127.0.0.1", port, agent, method, path, headers }, (answer) =>
        answer.resume().on("end", () => resolve(answer.statusCode ?? 0))
      )
      sent.on("error", reject).end(body)
    })
  return { ask, leave: () => agent.destroy() }
}

const crowdOf = (count: number, port: number) => Array.from({ length: count }, () => visitorTo(port))

describe("E8, I8: sockets that ask again as soon as they are refused", () => {
  it("are read some in each turn of the event loop, so that a turn has few refusals", async () => {
    const settings = { rateLimits: true, trustProxy: true, pollLimit: { perKey: 1, perAddress: 1 } }
    const { address, request } = await listening(MemoryStores, settings)
    const headers = { authorization: "nobody", "x-forwarded-for": "203.0.113.5" }
    for (let n = 0; n < 20; n++) await request("GET", "/sdk/v2/status", { headers })
    const asked = new Map<unknown, number>()
    const turn = { refused: 0, most: 0, all: 0 }
    const write: (...given: Array<never>) => unknown = ServerResponse.prototype.writeHead
    vi.spyOn(ServerResponse.prototype, "writeHead").mockImplementation(function (this: ServerResponse, ...given) {
      const isRefused = Number(given[0]) === 429
      const times = isRefused ? (asked.get(this.req.socket) ?? 0) + 1 : 0
      asked.set(this.req.socket, times)
      if (times > 3) turn.refused++
      return Reflect.apply(write, this, given) as never
    })
    const crowd = crowdOf(300, address.port)
    for (let n = 0; n < 2; n++) await Promise.all(crowd.map(({ ask }) => ask("/sdk/v2/status", "", headers)))
    const over = { is: false }
    const done = Promise.all(
      crowd.map(async ({ ask, leave }) => {
        for (let n = 0; n < 6; n++) await ask("/sdk/v2/status", "", headers)
        leave()
      })
    ).finally(() => (over.is = true))
    while (!over.is) {
      await setImmediate()
      turn.most = Math.max(turn.most, turn.refused)
      turn.all += turn.refused
      turn.refused = 0
    }
    await done
    assert.isAtLeast(turn.all, 1000)
    assert.isAtMost(turn.most, mostPerTurn)
  })

  it("do not rest where another answer came in between, as of somebody who asks for /health", async () => {
    const { port, resting } = await refusing()
    const crowd = crowdOf(100, port)
    for (let n = 0; n < 4; n++) {
      const path = n % 2 === 0 ? "/other" : "/health"
      await Promise.all(crowd.map(({ ask }) => ask(path).then(() => assert.strictEqual(resting.size, 0))))
    }
    for (const { leave } of crowd) leave()
  })

  it("keep their connections, whatever bodies come and however many requests at once", async () => {
    const { connections, port } = await refusing()
    const crowd = crowdOf(100, port)
    await Promise.all(
      crowd.map(async ({ ask }) => {
        for (let n = 0; n < 5; n++) assert.strictEqual(await ask("/", "x".repeat(60_000)), 503)
      })
    )
    assert.strictEqual(connections(), 100)
    const piped = connect(port, "127.0.0.1")
    let text = ""
    piped.on("data", (chunk) => (text += chunk.toString()))
    piped.write("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\nhi".repeat(150))
    piped.write("GET /health HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n")
    await once(piped, "close")
    const statuses = [...text.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status)
    assert.deepStrictEqual(statuses, [...Array.from({ length: 150 }, () => "503"), "200"])
    for (const { leave } of crowd) leave()
  })

  it("of somebody else are read before the rest of a crowd", async () => {
    const { port, resting } = await refusing()
    const crowd = crowdOf(600, port)
    const other = visitorTo(port)
    const ask = () => other.ask("/", "", { authorization: "somebody" })
    for (let n = 0; n < 2; n++) await ask()
    const answered: Array<string> = []
    for (let n = 0; n < 2; n++) await Promise.all(crowd.map((visitor) => visitor.ask("/")))
    assert.isAbove(resting.size, 0)
    const rest = Promise.all(crowd.map((visitor) => visitor.ask("/").then(() => answered.push("crowd"))))
    await Promise.all([rest, ask().then(() => answered.push("somebody"))])
    assert.isBelow(answered.indexOf("somebody"), 400)
    for (const { leave } of [...crowd, other]) leave()
  })

  it("are forgotten when they go", async () => {
    const { port, resting } = await refusing()
    const crowd = crowdOf(200, port)
    let rested = 0
    for (let n = 0; n < 4; n++) {
      await Promise.all(crowd.map(({ ask }) => ask("/").then(() => (rested = Math.max(rested, resting.size)))))
    }
    assert.isAbove(rested, 0)
    for (const { leave } of crowd) leave()
    while (resting.size > 0) await setImmediate()
    assert.strictEqual(await visitorTo(port).ask("/health"), 200)
  })
})

describe("I8: connections", () => {
  it("wait in the queue of the system by the thousand: each turn of the event loop accepts one", async () => {
    const listen = vi.spyOn(Server.prototype, "listen")
    await listening(MemoryStores)
    assert.deepInclude(listen.mock.calls.at(-1)?.[0], { backlog: 4096 })
  })
})
