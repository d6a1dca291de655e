import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { CohortId, ExperimentGroupId, ExperimentId } from "../../src/domain/Ids.ts"
import { CursorInvalid, Overloaded } from "../RequestErrors.ts"
import { ApplicationNotFound, EnvironmentNotFound, Forbidden } from "../access/AccessErrors.ts"
import { PlayerNotFound, QueryInvalid, QueryTimeout, ReferenceInvalid, TooManyQueries } from "./AnalyticsErrors.ts"
import { AssignmentSource, AssignmentStatus } from "../experiments/AssignmentRecord.ts"
import { ConfigurationNotFound } from "../configuration/ConfigurationErrors.ts"
import { PlayerConfiguration } from "../configuration/PlayerConfiguration.ts"
import { SessionOrServer } from "../access/Auth.ts"
import { PlayerFilter } from "./Filters.ts"
import { RawMarker } from "./Markers.ts"
import { oneOf, optional, withDefault } from "../Optional.ts"
import { Incomplete } from "./QueryAnswer.ts"
import { applicationId, configurationId, numeric, numericOr, OptionalEnvironmentHeader, Page } from "../Parameters.ts"
import { text } from "../Text.ts"
import { requires, requiresAll } from "../access/RequiredPermission.ts"

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
}).annotations({
  identifier: "Player",
  description: "`profile` holds the latest value of each property that is not empty"
})
export type PlayerRecord = typeof PlayerRecord.Type

export const ListedPlayer = Schema.Struct({
  unitId: Schema.String,
  firstSeenAt: Schema.DateTimeUtc,
  lastSeenAt: Schema.DateTimeUtc,
  markerCount: Schema.Int,
  profile: PlayerRecord.fields.profile
}).annotations({
  identifier: "ListedPlayer",
  description: "`profile` holds the latest value that is not empty of each property asked for"
})

export const PlayerPage = Page(ListedPlayer).annotations({ identifier: "PlayerPage" })
export type PlayerPage = typeof PlayerPage.Type

const filtersText = Schema.parseJson(Schema.Array(PlayerFilter).pipe(Schema.maxItems(20))).annotations({
  jsonSchema: { type: "string", maxLength: 8192, contentMediaType: "application/json" }
})

export const PlayersQuery = Schema.Struct({
  search: optional(text(1, 256)),
  cohortId: optional(numeric(CohortId)),
  filters: optional(filtersText),
  match: withDefault(oneOf("all", "any"), "all"),
  properties: withDefault(Schema.Array(text(1, 256)).pipe(Schema.maxItems(20)), []),
  sort: withDefault(oneOf("lastSeen", "firstSeen", "markerCount", "unitId"), "lastSeen"),
  direction: optional(oneOf("ascending", "descending")),
  limit: numericOr(Schema.Int.pipe(Schema.between(1, 1000)), 100),
  cursor: optional(text(0, 2048))
})
export type PlayersQuery = typeof PlayersQuery.Type

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
    HttpApiEndpoint.get("list")`/application/${applicationId}/players`
      .setHeaders(OptionalEnvironmentHeader)
      .setUrlParams(PlayersQuery)
      .addSuccess(PlayerPage)
      .addError(CursorInvalid)
      .addError(QueryInvalid)
      .addError(ReferenceInvalid)
      .annotateContext(requires("players:read", "environment"))
      .annotate(OpenApi.Summary, "Players, by what their ids begin with, what they are and where they belong")
  )
  .add(
    HttpApiEndpoint.get("get")`/application/${applicationId}/players/${unitId}`
      .setHeaders(OptionalEnvironmentHeader)
      .addSuccess(PlayerRecord)
      .annotateContext(requires("players:read", "environment"))
      .annotate(OpenApi.Summary, "What is known of a player")
  )
  .add(
    HttpApiEndpoint.get(
      "configuration"
    )`/application/${applicationId}/players/${unitId}/configurations/${configurationId}`
      .setHeaders(OptionalEnvironmentHeader)
      .addSuccess(PlayerConfiguration)
      .addError(ConfigurationNotFound)
      .annotateContext(requiresAll(["players:read", "configurations:read", "experiments:read"], "environment"))
      .annotate(OpenApi.Summary, "A configuration as the player gets it, and what set each value")
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
  .annotate(OpenApi.Description, "Players: the list of them; profile, export and erasure of each.") {}
