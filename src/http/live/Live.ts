import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { LiveStreams } from "../../services/live/LiveStreams.ts"
import { refuseForeignPage } from "../middleware/CrossSite.ts"
import { sessionCookie } from "../middleware/SessionCookie.ts"
import { beginStream } from "../platform/EventStream.ts"

/** Bytes that may wait for a slow reader: two seconds of the most that a stream tells. */
const waitingBytes = 144 * 1024

export const LiveHttp = HttpApiBuilder.group(Api, "live", (handlers) =>
  Effect.map(Effect.all([LiveStreams, refuseForeignPage]), ([streams, refuse]) =>
    handlers.handle("stream", ({ headers, path, request, urlParams }) =>
      Effect.gen(function* () {
        // A page of another site could not read the stream, yet would keep it open.
        if (request.headers["authorization"] === undefined) yield* refuse(request)
        const cookie = sessionCookie(request)
        const seat = yield* streams.join(path.applicationId, urlParams, headers["last-event-id"], cookie)
        return beginStream(request, { seat, waitingBytes })
      })
    )
  )
)
