import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { ValidationFailed } from "../../../schema/RequestErrors.ts"
import type { InvalidMarkers } from "../../../schema/ingest/IngestErrors.ts"
import { Ingest } from "../../services/ingest/Ingest.ts"
import { jsonBody } from "../platform/Body.ts"
import { backfill } from "./MarkerImportBody.ts"
import { maxBody } from "../platform/Requests.ts"

const maxMarkers = 1000

const markersOf = (body: unknown) => {
  const markers: unknown = typeof body === "object" && body !== null && "markers" in body ? body.markers : undefined
  return Array.isArray(markers) && markers.length > 0 && markers.length <= maxMarkers
    ? Effect.succeed<ReadonlyArray<unknown>>(markers)
    : Effect.fail(new ValidationFailed({ message: `markers: expected a list of 1 to ${maxMarkers} markers` }))
}

const json = (body: object, status: number) =>
  HttpServerResponse.text(JSON.stringify(body), { status, contentType: "application/json" })

/** The common envelope carries no counts, so this refusal writes its own body. */
const refused = ({ statusCode, code, error, message, ...rest }: InvalidMarkers) => ({
  statusCode,
  code,
  error,
  message,
  ingestedMarkersCount: rest.ingestedMarkersCount,
  rejectedMarkersCount: rest.rejectedMarkersCount,
  duplicateMarkersCount: rest.duplicateMarkersCount,
  staleMarkersCount: rest.staleMarkersCount,
  rejectedMarkers: rest.rejectedMarkers,
  duplicateMarkers: rest.duplicateMarkers,
  staleMarkers: rest.staleMarkers,
  clampedMarkers: rest.clampedMarkers
})

export const IngestHttp = HttpApiBuilder.group(Api, "ingest", (handlers) =>
  Effect.map(Ingest, (ingest) =>
    handlers
      .handleRaw("markers", ({ headers, request }) =>
        jsonBody(request, maxBody).pipe(
          Effect.flatMap(markersOf),
          Effect.flatMap((markers) => ingest.markers({ version: 1, headers }, markers)),
          Effect.map((result) => json(result, 200)),
          Effect.catchTag("InvalidMarkers", (error) =>
            Effect.succeed(json({ ...refused(error), errorCode: error.code }, 400))
          )
        )
      )
      .handleRaw("import", ({ headers, path, request }) =>
        ingest.importInto(path.applicationId, headers.environment_id).pipe(
          Effect.flatMap(({ append, conclude }) => Effect.flatMap(backfill(request, append), conclude)),
          Effect.map((result) => json(result, 200)),
          Effect.catchTag("InvalidMarkers", (error) => Effect.succeed(json(refused(error), 400)))
        )
      )
  )
)
