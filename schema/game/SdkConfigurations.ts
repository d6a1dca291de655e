import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { ConfigurationId, ExperimentGroupId, ExperimentId } from "../../src/domain/Ids.ts"
import { AssignmentSource, DistinctId } from "../experiments/AssignmentRecord.ts"
import { GameKey } from "../access/Auth.ts"
import { ApplicationNotFound, EnvironmentNotFound, Forbidden } from "../access/AccessErrors.ts"
import { ConfigurationNotFound } from "../configuration/ConfigurationErrors.ts"
import { ExperimentDescriptor, UnitContext } from "../experiments/ExperimentDescriptor.ts"
import { UnitType } from "../experiments/ExperimentRecord.ts"
import { GameHeaders, KnownHash, PollHeaders } from "./GameHeaders.ts"
import { NotModified } from "../access/Images.ts"
import { JsonObject } from "../Json.ts"
import { optional } from "../Optional.ts"
import { text } from "../Text.ts"
import { requires } from "../access/RequiredPermission.ts"
import { example } from "../Example.ts"
import { RateLimited } from "../RequestErrors.ts"
import { Traffic } from "../Traffic.ts"

const requiredProperties = Schema.Array(Schema.String)
const privacy = Schema.Array(Schema.Array(Schema.String))

const named = {
  id: ConfigurationId,
  name: Schema.NullOr(Schema.String),
  alias: Schema.NullOr(Schema.String),
  hash: Schema.String
}

const shared = {
  hash: Schema.String,
  primaryConfigurationId: Schema.NullOr(ConfigurationId),
  experiments: Schema.Struct({
    user: Schema.Array(ExperimentDescriptor),
    server: Schema.Array(ExperimentDescriptor)
  }),
  requiredProperties,
  polling: Schema.Struct({ intervalSeconds: Schema.Number, jitterRatio: Schema.Number })
}

export const BootstrapConfiguration = Schema.Struct({ ...named, configuration: JsonObject, privacy })

/** All that a game starts with. */
export const Bootstrap = Schema.Struct({
  ...shared,
  configurations: Schema.Array(BootstrapConfiguration)
}).annotations({ identifier: "Bootstrap" })
export type Bootstrap = typeof Bootstrap.Type

const RunningExperiment = Schema.Struct({
  id: ExperimentId,
  groups: Schema.Array(Schema.Struct({ name: Schema.String }))
})

/** What a game polls to learn whether anything is new. */
export const SdkStatus = Schema.Struct({
  ...shared,
  configurations: Schema.Array(Schema.Struct({ ...named, experiments: Schema.Array(RunningExperiment) }))
}).annotations({ identifier: "SdkStatus" })
export type SdkStatus = typeof SdkStatus.Type

const delivered = {
  hash: Schema.String,
  configurationId: ConfigurationId,
  name: Schema.NullOr(Schema.String),
  configuration: JsonObject,
  privacy,
  updatedAt: Schema.DateTimeUtc
}

export const DeliveredConfiguration = Schema.Struct(delivered).annotations({ identifier: "DeliveredConfiguration" })
export type DeliveredConfiguration = typeof DeliveredConfiguration.Type

export const EvaluateConfiguration = Schema.Struct({
  configuration: optional(text(1, 100)),
  unit: Schema.Struct({ type: UnitType, distinctId: DistinctId }),
  context: optional(UnitContext),
  knownHash: optional(text(0, 256))
})
  .annotations({ identifier: "EvaluateConfiguration", description: "Without `configuration` the primary one" })
  .pipe(
    example({
      configuration: "economy",
      unit: { type: "user", distinctId: "48213377" },
      context: { schemaVersion: 1, properties: { level: 12 }, roblox: { device: "pc" } }
    })
  )
export type EvaluateConfiguration = typeof EvaluateConfiguration.Type

export const EvaluatedConfiguration = Schema.Struct({
  ...delivered,
  experiments: Schema.Array(
    Schema.Struct({
      experimentId: ExperimentId,
      groupId: ExperimentGroupId,
      assignmentVersion: Schema.Int,
      source: AssignmentSource,
      exposureProxyRecorded: Schema.Boolean
    })
  ),
  requiredProperties
}).annotations({ identifier: "EvaluatedConfiguration" })
export type EvaluatedConfiguration = typeof EvaluatedConfiguration.Type

const Named = Schema.Struct({ ...KnownHash.fields, configuration: optional(text(1, 100)) })
const StreamHeaders = Schema.Struct({ ...GameHeaders.fields, "last-event-id": optional(text(0, 64)) })

export class SdkConfigurationsGroup extends HttpApiGroup.make("sdkConfigurations")
  .add(
    HttpApiEndpoint.get("bootstrap", "/sdk/v2/bootstrap")
      .setHeaders(PollHeaders)
      .setUrlParams(KnownHash)
      .addSuccess(Bootstrap)
      .addSuccess(NotModified)
      .annotateContext(requires("sdk:read", "environment"))
      .annotate(OpenApi.Summary, "Every configuration and running experiment of the environment")
  )
  .add(
    HttpApiEndpoint.get("status", "/sdk/v2/status")
      .setHeaders(PollHeaders)
      .setUrlParams(KnownHash)
      .addSuccess(SdkStatus)
      .addSuccess(NotModified)
      .annotateContext(requires("sdk:read", "environment"))
      .annotate(OpenApi.Summary, "Hashes of every configuration, and running experiments")
  )
  .add(
    HttpApiEndpoint.get("get", "/sdk/v2/configurations")
      .setHeaders(PollHeaders)
      .setUrlParams(Named)
      .addSuccess(DeliveredConfiguration)
      .addSuccess(NotModified)
      .addError(ConfigurationNotFound)
      .annotateContext(requires("sdk:read", "environment"))
      .annotate(OpenApi.Summary, "A configuration by alias or name; without one the primary")
  )
  .add(
    HttpApiEndpoint.post("evaluate", "/sdk/v2/configurations/evaluate")
      .setHeaders(PollHeaders)
      .setPayload(EvaluateConfiguration)
      .addSuccess(EvaluatedConfiguration)
      .addSuccess(NotModified)
      .addError(ConfigurationNotFound)
      .annotate(Traffic, "evaluate")
      .annotateContext(requires("sdk:read", "environment"))
      .annotate(OpenApi.Summary, "A configuration as one unit gets it; assigns the unit and records the exposure")
  )
  .add(
    HttpApiEndpoint.get("stream", "/sdk/v2/stream")
      .setHeaders(StreamHeaders)
      .addSuccess(HttpApiSchema.Text({ contentType: "text/event-stream" }))
      .annotate(Traffic, "stream")
      .annotateContext(requires("sdk:read", "environment"))
      .annotate(OpenApi.Summary, "Notices of changed configurations and experiments, as server-sent events")
  )
  .addError(Forbidden)
  .addError(ApplicationNotFound)
  .addError(EnvironmentNotFound)
  .middleware(GameKey)
  .addError(RateLimited)
  .annotate(Traffic, "poll")
  .annotate(OpenApi.Title, "Game: configurations")
  .annotate(OpenApi.Description, "What games read: configurations, by hash and as changes happen.") {}
