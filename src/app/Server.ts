import { HttpApiBuilder, HttpMiddleware, HttpRouter, HttpServer } from "@effect/platform"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Data, Effect, Layer } from "effect"
import { createServer, IncomingMessage, ServerResponse } from "node:http"
import type { Server } from "node:http"
import { Evaluations } from "../http/game/Evaluations.ts"
import { Replay } from "../http/game/Replay.ts"
import { Notices } from "../services/game/Notices.ts"
import { Docs } from "./Docs.ts"
import { refuseUnreadable } from "./Unreadable.ts"

/** Milliseconds that open requests get to finish once the server stops. */
const drain = 1500

export class PortUnusable extends Data.TaggedError("PortUnusable")<{ readonly message: string }> {}

/** What the server does before the API sees a request, and before it stops. */
interface Ends {
  /** Whether the request is answered already. */
  readonly answer: (request: IncomingMessage, response: ServerResponse, goOn: () => void) => boolean
  /** Ends the answers that go on until somebody ends them. */
  readonly hangUp: () => void
}

// A long-lived answer (a stream, a keep-alive socket) would hold `close` back for ever.
const makeServer = ({ answer, hangUp }: Ends): Server => {
  const server = createServer({ keepAliveTimeout: 65_000 }).on("clientError", refuseUnreadable)
  const close = server.close.bind(server)
  server.close = (callback) => {
    const closing = close(callback)
    hangUp()
    server.closeIdleConnections()
    setTimeout(() => server.closeAllConnections(), drain).unref()
    return closing
  }
  const emit = server.emit.bind(server)
  server.emit = (event: string, ...given: ReadonlyArray<unknown>) => {
    const [request, response] = given
    const isAnswered =
      event === "request" &&
      request instanceof IncomingMessage &&
      response instanceof ServerResponse &&
      answer(request, response, () => emit(event, ...given))
    return isAnswered || emit(event, ...given)
  }
  return server
}

const reasonOf = (cause: unknown): string =>
  typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "unknown"

const refusedPort = (host: string, port: number, cause: unknown) =>
  new PortUnusable({
    message:
      reasonOf(cause) === "EADDRINUSE"
        ? `Port ${port} on ${host} is taken: stop what listens there or choose another with --port`
        : `Cannot listen on ${host}:${port} (${reasonOf(cause)})`
  })

const announce = Effect.flatMap(HttpServer.HttpServer, ({ address }) =>
  address._tag === "TcpAddress"
    ? Effect.sync(() => process.stdout.write(`gamekeeper listening on http://${address.hostname}:${address.port}\n`))
    : Effect.void
)

/** Paths match as they are declared, with and without a trailing slash; a path parameter may be as long as the longest handle, slug or name. */
export const RouterConfig = HttpRouter.setRouterConfig({
  ignoreTrailingSlash: true,
  ignoreDuplicateSlashes: false,
  caseSensitive: true,
  maxParamLength: 600
})

const NodeServer = (host: string, port: number) =>
  Layer.unwrapEffect(
    Effect.map(Effect.all([Replay, Evaluations, Notices]), ([replay, evaluations, { hangUp }]) => {
      const answer: Ends["answer"] = (request, response, goOn) =>
        replay.answer(request, response) || evaluations.answer(request, response, goOn)
      return NodeHttpServer.layer(() => makeServer({ answer, hangUp }), { host, port })
    })
  )

/** Serves the API until interrupted, then lets open requests finish. */
export const Listen = (host: string, port: number) =>
  Layer.effectDiscard(announce).pipe(
    Layer.provideMerge(HttpApiBuilder.serve()),
    Layer.provide(Docs),
    Layer.provideMerge(NodeServer(host, port)),
    Layer.mapError(({ cause }) => refusedPort(host, port, cause)),
    HttpMiddleware.withTracerDisabledWhen(() => true)
  )
