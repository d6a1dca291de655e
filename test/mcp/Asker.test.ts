import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Redacted } from "effect"
import { once } from "node:events"
import { createServer, type Socket } from "node:net"
import { askerOf } from "../../src/mcp/Asker.ts"
import { answered } from "../../src/mcp/Streamable.ts"

describe("a request of an assistant", () => {
  const asked: Array<string> = []
  const { ask } = askerOf({
    url: "http://localhost",
    pages: "http://localhost",
    token: Redacted.make("gk_pat_x"),
    send: ({ method, url }) => {
      asked.push(`${method} ${url}`)
      return Promise.resolve(Response.json({}))
    }
  })

  it.each([".", "..", "", "\ud800"])("is refused where the id %j would make another path of it", async (unitId) => {
    const refused = await Effect.runPromise(Effect.flip(ask("players.erase", { applicationId: 7, unitId })))
    assert.strictEqual(refused._tag, "ToolRefused")
    assert.match(refused.message, /^unitId: .+ cannot stand in a path/)
    assert.deepStrictEqual(asked, [])
  })

  it("is sent with any other id", async () => {
    await Effect.runPromise(ask("players.get", { applicationId: 7, unitId: "../x" }))
    assert.deepStrictEqual(asked, ["GET http://localhost/application/7/players/..%2Fx"])
  })
})

describe("what a request is made of", () => {
  const asked: Array<Request> = []
  const askerWith = (token: string, answer: () => Promise<Response> = () => Promise.resolve(Response.json({}))) =>
    askerOf({
      url: "http://localhost",
      pages: "http://localhost",
      token: Redacted.make(token),
      send: (request) => {
        asked.push(request)
        return answer()
      }
    })

  it.each([
    ["environment_id", "gk_pat_x", { applicationId: 7, environment_id: "1\n2" }],
    ["The token", "gk_pat_☃", { applicationId: 7 }]
  ])("%s is refused where no header can have it", async (what, token, given) => {
    const { message } = await Effect.runPromise(Effect.flip(askerWith(token).ask("cohorts.list", given)))
    assert.strictEqual(message, `${what} has characters that no header may have`)
  })

  it("has a list as JSON where one text is taken, and as several values elsewhere", async () => {
    const filters = [{ source: "property", name: "platform", operator: "is", value: "ios" }]
    const given = { applicationId: 7, filters, properties: ["country", "platform"] }
    await Effect.runPromise(askerWith("gk_pat_x").ask("players.list", given))
    const { searchParams } = new URL(asked.at(-1)?.url ?? "")
    assert.deepStrictEqual(searchParams.getAll("filters"), [JSON.stringify(filters)])
    assert.deepStrictEqual(searchParams.getAll("properties"), ["country", "platform"])
  })

  it("is given up with the call", async () => {
    const call = Effect.runFork(
      askerWith("gk_pat_x", () => new Promise(() => undefined)).ask("cohorts.list", { applicationId: 7 })
    )
    await new Promise((done) => setImmediate(done))
    const request = asked.at(-1)
    assert.strictEqual(request?.signal.aborted, false)
    await Effect.runPromise(Fiber.interrupt(call))
    assert.strictEqual(request?.signal.aborted, true)
  })

  it("is given up where whoever called the tool has gone", async () => {
    const gone = new AbortController()
    let send: (request: Request) => Promise<Response> = () => Promise.reject(new Error("too early"))
    const inner = new Promise<Request>((sent) => {
      send = (request) => {
        sent(request)
        return new Promise(() => undefined)
      }
    })
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" }
    const outer = new Request("http://localhost/mcp", { method: "POST", headers })
    const params = { name: "list_cohorts", arguments: { applicationId: 7, environment_id: 1 } }
    const way = { url: "http://localhost", pages: "http://localhost", token: Redacted.make("gk_pat_x"), send }
    void answered(outer, { jsonrpc: "2.0", id: 1, method: "tools/call", params }, way, "1", gone.signal)
    const { signal } = await inner
    assert.isFalse(signal.aborted)
    const isGivenUp = new Promise((done) => signal.addEventListener("abort", done))
    gone.abort()
    await isGivenUp
  })
})

describe("an answer that is none of ours", () => {
  it.each([
    [
      "a proxy whose server is down",
      new Response("<p>Bad Gateway</p>", { status: 502, headers: { "content-type": "text/html" } })
    ],
    ["another program", new Response("hello", { headers: { "content-type": "text/plain" } })]
  ])("of %s is told as such", async (_, response) => {
    const url = "http://localhost:4210/live"
    const way = { url, pages: url, token: Redacted.make("gk_pat_x"), send: () => Promise.resolve(response) }
    const { message } = await Effect.runPromise(Effect.flip(askerOf(way).ask("players.get", { unitId: "1" })))
    assert.strictEqual(
      message,
      `http://localhost:4210 answers with the status ${response.status}, and not as Gamekeeper does: does it run behind its proxy, and is the address right? It is given by --url or GAMEKEEPER_URL.`
    )
  })
})

describe("a server that gives an assistant no answer", () => {
  /** The address of a port that does that with whoever connects, or at which nobody listens. */
  const listening = async (onConnect: ((socket: Socket) => void) | undefined) => {
    const server = createServer((socket) => onConnect?.(socket)).listen(0, "127.0.0.1")
    await once(server, "listening")
    const address = server.address()
    if (onConnect === undefined) await once(server.close(), "close")
    return { server, host: `127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}` }
  }

  const saidOf = async (url: string) => {
    const way = { url, pages: url, token: Redacted.make("gk_pat_x"), send: (request: Request) => fetch(request) }
    const { message } = await Effect.runPromise(Effect.flip(askerOf(way).ask("players.get", { unitId: "1" })))
    return message.replace(url, "URL")
  }

  const rows: ReadonlyArray<
    readonly [server: string, scheme: string, onConnect: ((socket: Socket) => void) | undefined, why: string]
  > = [
    [
      "where nobody listens",
      "http",
      undefined,
      "nothing listens there. Is the server running, and is the port right? (ECONNREFUSED)"
    ],
    [
      "that hangs up",
      "http",
      (socket: Socket) => void socket.end(),
      "what listens there hung up, or does not speak HTTP. Is the port right, and is the address one of https? (UND_ERR_SOCKET)"
    ],
    [
      "that is asked for TLS and speaks none",
      "https",
      (socket: Socket) => void socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"),
      "what listens there does not speak TLS as this machine does. Is the port right, and is the address one of http? (ERR_SSL_"
    ]
  ]

  it.each(rows)("%s is named with the reason and what to do", async (_, scheme, onConnect, why) => {
    const { server, host } = await listening(onConnect)
    const said = await saidOf(`${scheme}://${host}`)
    server.close()
    assert.isTrue(said.startsWith(`URL cannot be reached: ${why}`), said)
    assert.isTrue(said.endsWith(" The address is given by --url or GAMEKEEPER_URL."), said)
  })
})
