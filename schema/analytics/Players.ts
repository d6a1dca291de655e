import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { CohortId, ExperimentGroupId, ExperimentId } from "../../src/domain/Ids.ts"
import { Overloaded } from "../RequestErrors.ts"
import { ApplicationNotFound, EnvironmentNotFound, Forbidden } from "../access/AccessErrors.ts"
import { PlayerNotFound, QueryTimeout, TooManyQueries } from "./AnalyticsErrors.ts"
import { AssignmentSource, AssignmentStatus } from "../experiments/AssignmentRecord.ts"
import { SessionOrServer } from "../access/Auth.ts"
import { RawMarker } from "./Markers.ts"
import { optional } from "../Optional.ts"
import { Incomplete } from "./QueryAnswer.ts"
import { applicationId, OptionalEnvironmentHeader } from "../Parameters.ts"
import { text } from "../Text.ts"
import { requires } from "../access/RequiredPermission.ts"

export const PlayerRecord = Schema.Struct({
  unitId: Schema.String,
  profile: RawMarker.fields.properties,
  firstSeenAt: Schema.DateTimeUtc,
  lastSeenAt: Schema.DateTimeUtc,
  markerCount: Schema.Int,
  cohorts: Schema.Array(Schema.Struct({ id: CohortId, name: Schema.String, enteredAt: Schema.DateTimeUtc })),
  assignments: Schema.Array(
    Schema.Struct({
      experimentId: ExperimentId,
      experimentName: Schema.String,
      groupId: ExperimentGroupId,
      groupName: Schema.String,
      status: AssignmentStatus,
      source: AssignmentSource,
      assignedAt: Schema.DateTimeUtc
    })
  ),
  recentMarkers: Schema.Array(RawMarker)
}).annotations({ identifier: "Player", description: "`profile` holds the latest value of each property" })
export type PlayerRecord = typeof PlayerRecord.Type

export const PlayerErased = Schema.Struct({
  unitId: Schema.String,
  erasedAt: Schema.DateTimeUtc,
  erased: Schema.Struct({
    markers: Schema.Int,
    cohortMemberships: Schema.Int,
    assignments: Schema.Int,
    clicks: Schema.Int
  }),
  incomplete: optional(Incomplete)
}).annotations({
  identifier: "PlayerErased",
  description: "`incomplete` is there when markers could not be read: some of the player may be among them"
})
export type PlayerErased = typeof PlayerErased.Type

const unitId = HttpApiSchema.param("unitId", text(1, 256))

export class PlayersGroup extends HttpApiGroup.make("players")
  .add(
    HttpApiEndpoint.get("get")`/application/${applicationId}/players/${unitId}`
      .setHeaders(OptionalEnvironmentHeader)
      .addSuccess(PlayerRecord)
      .annotateContext(requires("players:read", "environment"))
      .annotate(OpenApi.Summary, "What is known of a player")
  )
  .add(
    HttpApiEndpoint.get("export")`/application/${applicationId}/players/${unitId}/export`
      .setHeaders(OptionalEnvironmentHeader)
      .addSuccess(HttpApiSchema.Text({ contentType: "application/x-ndjson" }))
      .annotateContext(requires("players:read", "environment"))
      .annotate(OpenApi.Summary, "Everything kept of a player, one record a line, streamed")
  )
  .add(
    HttpApiEndpoint.del("erase")`/application/${applicationId}/players/${unitId}`
      .setHeaders(OptionalEnvironmentHeader)
      .addSuccess(PlayerErased)
      .annotateContext(requires("players:delete", "environment"))
      .annotate(OpenApi.Summary, "Erase everything kept of a player, and refuse what is sent of them again")
  )
  .addError(Forbidden)
  .addError(ApplicationNotFound)
  .addError(EnvironmentNotFound)
  .addError(PlayerNotFound)
  .addError(Overloaded)
  .addError(TooManyQueries)
  .addError(QueryTimeout)
  .middleware(SessionOrServer)
  .annotate(OpenApi.Title, "Players")
  .annotate(OpenApi.Description, "Single players: profile, export and erasure.") {}
