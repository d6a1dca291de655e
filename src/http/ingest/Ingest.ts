import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { Ingest } from "../../services/ingest/Ingest.ts"
import { toResponse } from "../game/PlainRequest.ts"
import { jsonBody } from "../platform/Body.ts"
import { usualBody } from "../../../schema/BodyLimit.ts"
import { answered, json, markersIn, refusedCounts } from "./IngestAnswer.ts"
import { Ingestions } from "./Ingestions.ts"
import { backfill } from "./MarkerImportBody.ts"

export const IngestHttp = HttpApiBuilder.group(Api, "ingest", (handlers) =>
  Effect.map(Effect.all([Ingest, Ingestions]), ([ingest, ingestions]) =>
    handlers
      .handleRaw("markers", ({ headers, request }) =>
        Effect.gen(function* () {
          const markers = yield* Effect.flatMap(jsonBody(request, usualBody), markersIn)
          const scope = yield* ingest.scope({ version: 1, headers })
          ingestions.allow(request, scope)
          return toResponse(yield* answered(ingest.markers(scope.environment, markers)))
        })
      )
      .handleRaw("import", ({ headers, path, request }) =>
        ingest.importInto(path.applicationId, headers.environment_id).pipe(
          Effect.flatMap(({ append, conclude }) => Effect.flatMap(backfill(request, append), conclude)),
          Effect.map((result) => json(result, 200)),
          Effect.catchTag("InvalidMarkers", (error) => Effect.succeed(json(refusedCounts(error), 400))),
          Effect.map(toResponse)
        )
      )
  )
)
