import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { DistinctId } from "../experiments/AssignmentRecord.ts"
import { GameKey } from "../access/Auth.ts"
import { Overloaded, RateLimited, StorageFull } from "../RequestErrors.ts"
import { ApplicationNotFound, EnvironmentNotFound, Forbidden } from "../access/AccessErrors.ts"
import { ConfigurationNotFound } from "../configuration/ConfigurationErrors.ts"
import { GameHeaders, LegacyHeaders } from "./GameHeaders.ts"
import {
  CompletedRequests,
  GameRequest,
  LegacyAssign,
  LegacyAssigned,
  LegacyConfigurations,
  LegacyExperiments,
  NamedAssignment,
  NamedConfiguration,
  Nothing,
  ServerReport,
  StartedRequests
} from "./LegacyRecords.ts"
import { optional } from "../Optional.ts"
import { text } from "../Text.ts"
import { requires } from "../access/RequiredPermission.ts"
import { Traffic } from "../Traffic.ts"

const configurationName = HttpApiSchema.param("name", text(1, 100))
const serverId = HttpApiSchema.param("serverId", text(1, 128))

const Units = Schema.Struct({
  configName: text(1, 100),
  id: Schema.Array(DistinctId).pipe(Schema.minItems(1), Schema.maxItems(250))
})

export class SdkLegacyGroup extends HttpApiGroup.make("sdkLegacy")
  .add(
    HttpApiEndpoint.get("configuration")`/sdk/v2/configs/${configurationName}`
      .setHeaders(GameHeaders)
      .setUrlParams(Schema.Struct({ distinctId: optional(DistinctId) }))
      .addSuccess(NamedConfiguration)
      .addError(ConfigurationNotFound)
      .annotate(Traffic, "evaluate")
      .annotateContext(requires("sdk:read", "environment"))
      .annotate(OpenApi.Summary, "A configuration by name, as one unit gets it")
  )
  .add(
    HttpApiEndpoint.get("assignment", "/sdk/v2/experiments/assignment")
      .setHeaders(GameHeaders)
      .setUrlParams(Units)
      .addSuccess(Schema.Array(NamedAssignment))
      .addError(ConfigurationNotFound)
      .annotate(Traffic, "evaluate")
      .annotateContext(requires("sdk:read", "environment"))
      .annotate(OpenApi.Summary, "Groups of units in the experiment on a configuration")
  )
  .add(
    HttpApiEndpoint.get("configurations", "/sdk/v1/configurations")
      .setHeaders(LegacyHeaders)
      .addSuccess(LegacyConfigurations)
      .annotateContext(requires("sdk:read", "environment"))
      .annotate(OpenApi.Summary, "Configuration and experiments of a game server")
  )
  .add(
    HttpApiEndpoint.get("experiments", "/sdk/v1/experiments")
      .setHeaders(LegacyHeaders)
      .addSuccess(LegacyExperiments)
      .annotateContext(requires("sdk:read", "environment"))
      .annotate(OpenApi.Summary, "Running and scheduled groups")
  )
  .add(
    HttpApiEndpoint.post("assign", "/sdk/v1/experiments/assignments")
      .setHeaders(LegacyHeaders)
      .setPayload(LegacyAssign)
      .addSuccess(LegacyAssigned)
      .annotate(Traffic, "evaluate")
      .annotateContext(requires("sdk:read", "environment"))
      .annotate(OpenApi.Summary, "Assign the server or its players to groups")
  )
  .add(
    HttpApiEndpoint.post("reportServer")`/sdk/v1/servers/roblox/${serverId}`
      .setHeaders(LegacyHeaders)
      .setPayload(ServerReport)
      .addSuccess(Nothing)
      .addError(Overloaded)
      .addError(StorageFull)
      .annotate(Traffic, "ingest")
      .annotateContext(requires("sdk:ingest", "environment"))
      .annotate(OpenApi.Summary, "Report the state of a game server: players, ping, frames per second")
  )
  .add(
    HttpApiEndpoint.get("requests", "/sdk/v1/requests")
      .setHeaders(LegacyHeaders)
      .addSuccess(Schema.Array(GameRequest))
      .annotateContext(requires("sdk:read", "environment"))
      .annotate(OpenApi.Summary, "Jobs that wait for a game server")
  )
  .add(
    HttpApiEndpoint.put("startRequests", "/sdk/v1/requests/started")
      .setHeaders(LegacyHeaders)
      .setPayload(StartedRequests)
      .addSuccess(Nothing)
      .annotateContext(requires("sdk:read", "environment"))
      .annotate(OpenApi.Summary, "Say which jobs were started")
  )
  .add(
    HttpApiEndpoint.post("completeRequests", "/sdk/v1/requests/completed")
      .setHeaders(LegacyHeaders)
      .setPayload(CompletedRequests)
      .addSuccess(Nothing)
      .annotateContext(requires("sdk:read", "environment"))
      .annotate(OpenApi.Summary, "Say how jobs ended")
  )
  .add(
    HttpApiEndpoint.get("latestVersion", "/sdk/v1/latest/version")
      .setHeaders(LegacyHeaders)
      .setUrlParams(Schema.Struct({ platform: optional(text(0, 64)) }))
      .addSuccess(Schema.Struct({ version: Schema.String }))
      .annotateContext(requires("sdk:read", "project"))
      .annotate(OpenApi.Summary, "The newest version of the game SDK")
  )
  .addError(Forbidden)
  .addError(ApplicationNotFound)
  .addError(EnvironmentNotFound)
  .middleware(GameKey)
  .addError(RateLimited)
  .annotate(Traffic, "poll")
  .annotate(OpenApi.Title, "Game: older clients")
  .annotate(OpenApi.Description, "Routes that game SDKs of earlier generations call.") {}
