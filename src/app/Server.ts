import { HttpApiBuilder, HttpMiddleware, HttpRouter, HttpServer } from "@effect/platform"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer } from "effect"
import { createServer } from "node:http"
import { BulkAssignments } from "../http/game/BulkAssignments.ts"
import { Evaluations } from "../http/game/Evaluations.ts"
import { Admission } from "../http/middleware/Admission.ts"
import { RequestTraces } from "../http/middleware/RequestTraces.ts"
import { noteFields } from "../http/middleware/LimitFields.ts"
import { Ingestions } from "../http/ingest/Ingestions.ts"
import { MetricsPage } from "../http/operations/MetricsPage.ts"
import { VitalAnswers } from "../http/operations/VitalAnswers.ts"
import { Replay } from "../http/game/Replay.ts"
import { StreamOpenings } from "../http/game/StreamOpenings.ts"
import { boundClose } from "../http/platform/BoundedClose.ts"
import { limitConnections } from "../http/platform/ConnectionLimit.ts"
import { refuseEarly } from "../http/platform/EarlyRefusals.ts"
import { awaitOpenBody } from "../http/platform/OpenBodies.ts"
import { Pipelines } from "../http/platform/Pipelines.ts"
import { interceptRequests } from "../http/platform/RequestInterception.ts"
import { RestingSockets } from "../http/platform/RestingSockets.ts"
import { leaveProxyPassword } from "../http/middleware/ProxyPassword.ts"
import { refuseSlowBodies } from "../http/platform/SlowBodies.ts"
import { SocketReads } from "../http/platform/SocketReads.ts"
import { Guide } from "../http/platform/Guide.ts"
import { Web } from "../http/platform/Web.ts"
import { LiveStreams } from "../services/live/LiveStreams.ts"
import { Notices } from "../services/game/Notices.ts"
import { RequestLimits } from "../services/operations/RequestLimits.ts"
import { localAddress } from "./Addresses.ts"
import { Docs } from "./Docs.ts"
import { refusedPort } from "./FreePort.ts"
import { Mcp } from "./Mcp.ts"
import { guideFolder, webFolder } from "./Workers.ts"
import { refuseExpectation, refuseUnclearHost, refuseUnreadable } from "./Unreadable.ts"

/** Milliseconds that open requests get to finish once the server stops. */
const drainMillis = 1500

/** Milliseconds in which the headers of a request must have arrived. */
const headersTimeout = 20_000

/** Connections that may wait to be accepted: each turn of the event loop accepts one, and whoever finds no room asks again after seconds. */
const backlog = 4096

/** A body that has not ended must arrive at 1 KiB a second, or its connection is given up. */
const slowBody = { everyMillis: 5_000, leastBytes: 5 * 1024 }

const announce = Effect.flatMap(HttpServer.HttpServer, ({ address }) =>
  address._tag === "TcpAddress"
    ? Effect.sync(() =>
        process.stdout.write(`gamekeeper listening on ${localAddress(address.hostname, address.port)}\n`)
      )
    : Effect.void
)

/** Paths match as they are declared, with and without a trailing slash; a path parameter may be as long as the longest handle, slug or name. */
export const RouterConfig = HttpRouter.setRouterConfig({
  ignoreTrailingSlash: true,
  ignoreDuplicateSlashes: false,
  caseSensitive: true,
  maxParamLength: 600
})

/** Node's server behind the platform. The fast paths see a request first; open streams end when the server stops. */
const NodeServer = (host: string, port: number) =>
  Layer.unwrapEffect(
    Effect.map(
      Effect.all([
        Admission,
        Replay,
        Evaluations,
        BulkAssignments,
        Ingestions,
        StreamOpenings,
        Notices,
        LiveStreams,
        RequestLimits,
        MetricsPage,
        RequestTraces,
        VitalAnswers
      ]),
      ([
        admission,
        replay,
        evaluations,
        assignments,
        ingestions,
        openings,
        notices,
        streams,
        limits,
        metrics,
        traces,
        vital
      ]) => {
        const hangUp = () => {
          notices.hangUp()
          streams.hangUp()
        }
        const makeServer = () => {
          const server = createServer({ keepAliveTimeout: 65_000, requireHostHeader: false, headersTimeout })
            .on("clientError", refuseUnreadable)
            .on("checkExpectation", refuseExpectation)
          limitConnections(server, limits.connect)
          server.on("connection", admission.connect)
          const reads = new SocketReads()
          server.on("connection", reads.watch)
          boundClose(server, { drainMillis, hangUp })
          const watch = refuseSlowBodies(server, slowBody)
          const resting = new RestingSockets()
          const pipelines = new Pipelines()
          interceptRequests(server, (request, response, fallThrough) => {
            if (pipelines.isLost(request, response)) return true
            leaveProxyPassword(request)
            watch(request)
            reads.touch(request.socket, response.socket === null)
            pipelines.watch(request, response)
            metrics.watch(request, response)
            traces.watch(request, response)
            if (refuseUnclearHost(request, response) || metrics.answer(request, response)) return true
            const fields = admission.admit(request, response)
            if (fields === undefined || ingestions.refuse(request, response)) {
              resting.refuse(request, admission.turnOf(request))
              return true
            }
            resting.take(request)
            if (replay.answer(request, response, fields)) return true
            noteFields(request, fields)
            const begin = () => {
              const isTaken =
                vital.answer(request, response) ||
                refuseEarly(request, response, fields) ||
                evaluations.answer(request, response, fallThrough) ||
                assignments.answer(request, response, fallThrough) ||
                ingestions.answer(request, response, fallThrough) ||
                openings.answer(request, response) ||
                awaitOpenBody(request, () => admission.take(request, response, fallThrough))
              if (!isTaken) fallThrough()
            }
            pipelines.begin(response, () => admission.take(request, response, begin))
            return true
          })
          return server
        }
        return NodeHttpServer.layer(makeServer, { host, port, backlog })
      }
    )
  )

/** Serves the API, the dashboard and other pages until interrupted, then lets open requests finish. */
export const ListenWith = <R>(host: string, port: number, pages: Layer.Layer<never, never, R>) =>
  Layer.effectDiscard(announce).pipe(
    Layer.provideMerge(HttpApiBuilder.serve()),
    Layer.provide(Layer.mergeAll(Docs, Guide(guideFolder), Mcp, Web(webFolder), pages)),
    Layer.provideMerge(NodeServer(host, port)),
    Layer.mapError(({ cause }) => refusedPort(host, port, cause)),
    HttpMiddleware.withTracerDisabledWhen(() => true)
  )

/** Serves the API and the dashboard until interrupted, then lets open requests finish. */
export const Listen = (host: string, port: number) => ListenWith(host, port, Layer.empty)
