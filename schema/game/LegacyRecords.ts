import { Schema } from "effect"
import { ExperimentGroupId, ExperimentId } from "../../src/domain/Ids.ts"
import { Json, JsonObject } from "../Json.ts"
import { oneOf, optional, withDefault } from "../Optional.ts"
import { text } from "../Text.ts"
import { example } from "../Example.ts"

const privacy = Schema.Array(Schema.Array(Schema.String))
const targetType = oneOf("player", "gameserver")

export const LegacyGroup = Schema.Struct({
  id: ExperimentGroupId,
  groupName: Schema.String,
  experimentName: Schema.String,
  endsAt: optional(Schema.Number),
  configs: Schema.Struct({ options: Schema.Struct({ privacy }), variables: JsonObject })
}).annotations({ identifier: "LegacyGroup", description: "Instants are epoch milliseconds" })
export type LegacyGroup = typeof LegacyGroup.Type

/** Running and scheduled groups; `scheduled` gives start and end of each, in epoch milliseconds, by group id. */
export const LegacyExperiments = Schema.Struct({
  timestampMs: Schema.Number,
  groups: Schema.Array(LegacyGroup),
  scheduled: Schema.Record({
    key: Schema.String,
    value: Schema.Array(Schema.Number).pipe(Schema.minItems(1), Schema.maxItems(2))
  }),
  targetType,
  requiredProperties: Schema.Array(Schema.String)
}).annotations({ identifier: "LegacyExperiments" })
export type LegacyExperiments = typeof LegacyExperiments.Type

export const LegacyConfigurations = Schema.Struct({
  args: Schema.Struct({
    configs: JsonObject,
    options: Schema.Struct({ privacy }),
    GBConfigs: Schema.Struct({
      GBRates: Schema.Struct({ CheckRequests: Schema.Number, EngagementMarkers: Schema.Number }),
      EventData: JsonObject,
      Experiments: LegacyExperiments,
      GBPublishTime: Schema.Number
    })
  })
}).annotations({ identifier: "LegacyConfigurations" })
export type LegacyConfigurations = typeof LegacyConfigurations.Type

const playerId = Schema.Union(text(1, 256), Schema.JsonNumber)

export const LegacyAssign = Schema.Struct({
  playerIds: withDefault(Schema.Array(playerId).pipe(Schema.maxItems(1000)), []),
  knownGroupIds: withDefault(
    Schema.Array(Schema.Union(text(1, 32), Schema.JsonNumber)).pipe(Schema.maxItems(10_000)),
    []
  ),
  allowGameserverAssignment: withDefault(Schema.Boolean, false),
  serverProperties: optional(JsonObject),
  playerProperties: optional(JsonObject)
})
  .annotations({ identifier: "LegacyAssign" })
  .pipe(
    example({
      playerIds: [48213377, 91022845],
      knownGroupIds: [1],
      playerProperties: { "48213377": { level: 12 } }
    })
  )
export type LegacyAssign = typeof LegacyAssign.Type

/** Groups that the caller did not list as known come with their definitions. Null: nothing is assigned. */
export const LegacyAssigned = Schema.NullOr(
  Schema.Union(
    Schema.Struct({
      groups: optional(Schema.Array(LegacyGroup)),
      targetType: Schema.Literal("gameserver"),
      gameserverGroupId: optional(ExperimentGroupId)
    }),
    Schema.Struct({
      groups: optional(Schema.Array(LegacyGroup)),
      targetType: Schema.Literal("player"),
      playerIdsByGroupId: Schema.Record({ key: Schema.String, value: Schema.Array(Schema.String) })
    })
  )
).annotations({ identifier: "LegacyAssigned" })
export type LegacyAssigned = typeof LegacyAssigned.Type

const requestId = Schema.Union(text(1, 128), Schema.JsonNumber)

/** What a game server says of itself: any numbers and texts. */
export const ServerReport = JsonObject.pipe(example({ players: 14, ping: 62, fps: 59.8 }))
export type ServerReport = typeof ServerReport.Type

/** A job that a game server is asked to do. */
export const GameRequest = Schema.Struct({
  requestId,
  requestType: Schema.String,
  args: Json,
  details: Json,
  constraints: Json
}).annotations({ identifier: "GameRequest" })
export type GameRequest = typeof GameRequest.Type

export const StartedRequests = Schema.Array(requestId).pipe(Schema.maxItems(1000), example(["job-17"]))
export type StartedRequests = typeof StartedRequests.Type

export const CompletedRequests = Schema.Array(
  Schema.Struct({
    requestId,
    status: Schema.Union(text(1, 64), Schema.JsonNumber, Schema.Boolean),
    result: optional(Json)
  }).annotations({ identifier: "CompletedRequest" })
).pipe(Schema.maxItems(1000), example([{ requestId: "job-17", status: "success", result: { granted: 50 } }]))
export type CompletedRequests = typeof CompletedRequests.Type

export const NamedConfiguration = Schema.Struct({
  name: Schema.String,
  configuration: JsonObject,
  experiment: Schema.NullOr(Schema.Struct({ id: ExperimentId, group: Schema.String }))
}).annotations({ identifier: "NamedConfiguration" })
export type NamedConfiguration = typeof NamedConfiguration.Type

export const NamedAssignment = Schema.Struct({
  id: Schema.String,
  experimentId: ExperimentId,
  group: Schema.String
}).annotations({ identifier: "NamedAssignment", description: "`group` is the group's name" })
export type NamedAssignment = typeof NamedAssignment.Type

/** The answer of calls that answer nothing: older clients want a JSON body. */
export const Nothing = Schema.Struct({}).annotations({
  identifier: "Nothing",
  jsonSchema: { type: "object", maxProperties: 0, additionalProperties: true }
})
export type Nothing = typeof Nothing.Type
