import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { EnvironmentId } from "../../src/domain/Ids.ts"
import { Overloaded, RateLimited, StorageFull } from "../RequestErrors.ts"
import { ApplicationNotFound, EnvironmentNotFound, Forbidden } from "../access/AccessErrors.ts"
import { InvalidMarkers, ingestCounts } from "./IngestErrors.ts"
import { GameKey, ServerKey } from "../access/Auth.ts"
import { GameHeaders } from "../game/GameHeaders.ts"
import { markerBatch } from "./MarkerBatch.ts"
import { applicationId, EnvironmentHeader } from "../Parameters.ts"
import { jsonLines, RawBody } from "../RawBody.ts"
import { requires } from "../access/RequiredPermission.ts"
import { Traffic } from "../Traffic.ts"

/** What became of each marker: every one is in exactly one of the four counts. */
export const IngestResult = Schema.Struct({
  message: Schema.String,
  environment: Schema.Struct({ id: EnvironmentId, alias: Schema.String }).annotations({
    description: "The environment that took the markers"
  }),
  ...ingestCounts
}).annotations({
  identifier: "IngestResult"
})
export type IngestResult = typeof IngestResult.Type

const batch = { schema: { $ref: "#/components/schemas/MarkerBatch" }, example: markerBatch }
const lines = jsonLines("marker", markerBatch.markers)

export class IngestGroup extends HttpApiGroup.make("ingest")
  .add(
    HttpApiEndpoint.post("markers", "/sdk/v1/markers")
      .setHeaders(GameHeaders)
      .addSuccess(IngestResult)
      .addError(InvalidMarkers)
      .middleware(GameKey)
      .annotateContext(requires("sdk:ingest", "environment"))
      .annotate(OpenApi.Summary, "Send up to 1000 markers; each is answered by itself and a 200 means they are on disk")
      .annotate(OpenApi.Override, { requestBody: { required: true, content: { "application/json": batch } } })
  )
  .add(
    HttpApiEndpoint.post("import")`/application/${applicationId}/analytics/v1/markers/import`
      .setHeaders(EnvironmentHeader)
      .addSuccess(IngestResult)
      .addError(InvalidMarkers)
      .middleware(ServerKey)
      .annotate(RawBody, true)
      .annotateContext(requires("sdk:ingest", "environment"))
      .annotate(OpenApi.Summary, "Back-fill markers as JSON or NDJSON, plain or gzip, of any length; one summary")
      .annotate(OpenApi.Override, {
        requestBody: { required: true, content: { "application/json": batch, "application/x-ndjson": lines } }
      })
  )
  .addError(Forbidden)
  .addError(ApplicationNotFound)
  .addError(EnvironmentNotFound)
  .addError(Overloaded)
  .addError(StorageFull)
  .addError(RateLimited)
  .annotate(Traffic, "ingest")
  .annotate(OpenApi.Title, "Markers in")
  .annotate(OpenApi.Description, "Markers from games and from servers that fill in the past.") {}
