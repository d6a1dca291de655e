import { HttpServer, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import type { HttpApp } from "@effect/platform"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Layer, Schema, Scope } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import type { IncomingMessage, Server } from "node:http"
import { createServer, request as httpRequest } from "node:http"
import { createRequire } from "node:module"
import { join, resolve } from "node:path"
import { boundClose } from "../../../src/http/platform/BoundedClose.ts"
import { withJsonPayload } from "../../../src/http/platform/JsonPayload.ts"
import { interceptRequests } from "../../../src/http/platform/RequestInterception.ts"
import { RequestNotes } from "../../../src/http/platform/RequestNotes.ts"
import { takeSocket } from "../../../src/http/platform/SocketTakeover.ts"

type App = HttpApp.Default<unknown, Scope.Scope>

/** How the platform's fibers ended, each with the sending of its answer. */
type Exits = Array<Exit.Exit<unknown, unknown>>

/** The platform serving `app` by a server of Node that was prepared, until the scope closes. Gives its address. */
const served = Effect.fnUntraced(function* (app: App, prepare: (server: Server) => void = () => {}, exits: Exits = []) {
  const makeServer = () => {
    const server = createServer()
    prepare(server)
    return server
  }
  const context = yield* Layer.build(NodeHttpServer.layer(makeServer, { host: "127.0.0.1", port: 0 }))
  const observed = HttpServer.serveEffect(app, (sent) =>
    Effect.onExit(sent, (exit) => Effect.sync(() => exits.push(exit)))
  )
  yield* Effect.provide(observed, context)
  const { address } = yield* Effect.provide(HttpServer.HttpServer, context)
  return `http://127.0.0.1:${address._tag === "TcpAddress" ? address.port : 0}`
})

const get = (url: string) =>
  Effect.promise(
    () =>
      new Promise<IncomingMessage>((resolve, reject) => {
        httpRequest(url, { agent: false }, resolve).on("error", reject).end()
      })
  )

const textOf = (message: IncomingMessage) =>
  Effect.promise(async () => {
    const chunks: Array<Buffer> = []
    for await (const chunk of message) chunks.push(chunk)
    return Buffer.concat(chunks).toString()
  })

const getText = (url: string) => Effect.flatMap(get(url), textOf)

const platformAnswers = HttpServerResponse.text("platform")

describe("what works against the platform", () => {
  it.scopedLive("an interceptor answers before the platform, leaves a request to it, or hands it on later", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const app = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) => {
        seen.push(url)
        return platformAnswers
      })
      const url = yield* served(app, (server) =>
        interceptRequests(server, ({ url }, response, fallThrough) => {
          if (url === "/own") response.end("own")
          if (url === "/later") setTimeout(fallThrough, 10)
          return url !== "/other"
        })
      )
      assert.strictEqual(yield* getText(`${url}/own`), "own")
      assert.strictEqual(yield* getText(`${url}/other`), "platform")
      assert.strictEqual(yield* getText(`${url}/later`), "platform")
      assert.deepStrictEqual(seen, ["/other", "/later"])
    })
  )

  it("a request that comes before anybody answers is answered then, by an interceptor too", async () => {
    const server = createServer()
    interceptRequests(server, ({ url }, response) => {
      if (url === "/own") response.end("own")
      return url === "/own"
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    const port = address !== null && typeof address === "object" ? address.port : 0
    const came = new Promise<void>((resolve) => {
      let count = 0
      server.on("connection", () => ++count === 2 && resolve())
    })
    const answers = Promise.all(
      ["/own", "/other"].map((path) => fetch(`http://127.0.0.1:${port}${path}`).then((answer) => answer.text()))
    )
    await came
    await new Promise((resolve) => setTimeout(resolve, 50))
    server.on("request", (_, response) => response.end("platform"))
    assert.deepStrictEqual(await answers, ["own", "platform"])
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  it.live("a close ends in its time although an answer never ends, and hangs up first", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      let hangUps = 0
      const url = yield* served(Effect.never, (server) =>
        boundClose(server, { drainMillis: 50, hangUp: () => hangUps++ })
      ).pipe(Scope.extend(scope))
      const arrived = yield* Deferred.make<void>()
      const outgoing = httpRequest(url, { agent: false })
      outgoing.on("error", () => {})
      outgoing.on("socket", (socket) => socket.once("connect", () => Deferred.unsafeDone(arrived, Effect.void)))
      outgoing.end()
      yield* Deferred.await(arrived)
      yield* Effect.sleep("50 millis")
      yield* Scope.close(scope, Exit.void).pipe(Effect.disconnect, Effect.timeout("2 minutes"))
      assert.strictEqual(hangUps, 1)
    })
  )

  it.scopedLive(
    "a payload is what the platform reads as JSON, whatever the content type; all else is the request's own",
    () =>
      Effect.gen(function* () {
        const app = Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest
          const given = withJsonPayload(request, Effect.succeed({ given: true }))
          const json = yield* Effect.provideService(
            HttpServerRequest.schemaBodyJson(Schema.Unknown),
            HttpServerRequest.HttpServerRequest,
            given
          )
          const { method, url, headers } = given
          return yield* HttpServerResponse.json({ json, method, url, type: headers["content-type"] })
        })
        const url = yield* served(app)
        assert.deepStrictEqual(JSON.parse(yield* getText(`${url}/path`)), {
          json: { given: true },
          method: "GET",
          url: "/path",
          type: "application/json"
        })
      })
  )

  it.scopedLive("a socket that was taken is written to by nobody else, and its fiber ends", () =>
    Effect.gen(function* () {
      const isOver = yield* Deferred.make<void>()
      const app = Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const answer = HttpServerResponse.text("never sent", { headers: { "x-own": "1" } })
        const response = takeSocket(request, answer)
        response?.write("first ")
        yield* Effect.addFinalizer(() => Deferred.succeed(isOver, undefined))
        // Long after the platform has dealt with the answer.
        setTimeout(() => response?.end("last"), 100)
        return answer
      })
      const exits: Exits = []
      const url = yield* served(app, () => {}, exits)
      const message = yield* get(url)
      yield* Deferred.await(isOver)
      assert.deepStrictEqual([message.statusCode, message.headers["x-own"]], [200, "1"])
      assert.strictEqual(yield* textOf(message), "first last")
      assert.deepStrictEqual(exits.map(Exit.isSuccess), [true])
    })
  )

  it.scopedLive("a note of a handler reaches the middleware around it, and one of an interceptor the handler", () =>
    Effect.gen(function* () {
      const fromHandler = new RequestNotes<string>()
      const fromInterceptor = new RequestNotes<string>()
      const heard: Array<string | undefined> = []
      const handler = Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        heard.push(fromInterceptor.get(request))
        fromHandler.set(request, "handler")
        return yield* platformAnswers
      })
      const app = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
        Effect.provideService(
          handler,
          HttpServerRequest.HttpServerRequest,
          withJsonPayload(request, Effect.succeed(null))
        ).pipe(Effect.tap(() => Effect.sync(() => heard.push(fromHandler.get(request)))))
      )
      const url = yield* served(app, (server) =>
        interceptRequests(server, (request) => {
          fromInterceptor.set(request, "interceptor")
          return false
        })
      )
      yield* getText(url)
      assert.deepStrictEqual(heard, ["interceptor", "handler"])
      yield* getText(url)
      assert.deepStrictEqual(heard.slice(2), ["interceptor", "handler"])
    })
  )

  it("was read in the version of the platform that is installed: after an update, read each named place again", () => {
    const folder = resolve(import.meta.dirname, "../../../src/http/platform")
    const installed: string = createRequire(import.meta.url)("@effect/platform-node/package.json").version
    const readIn = readdirSync(folder).flatMap((file) =>
      [...readFileSync(join(folder, file), "utf8").matchAll(/Read in @effect\/platform-node ([\d.]+\d)/g)].map(
        ([, version]) => [file, version]
      )
    )
    const files = ["BoundedClose", "JsonPayload", "RequestInterception", "RequestNotes", "SocketTakeover"]
    assert.deepStrictEqual(
      readIn,
      files.map((file) => [`${file}.ts`, installed])
    )
  })
})
