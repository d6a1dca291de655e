import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { ExperimentGroupId, ExperimentId } from "../../src/domain/Ids.ts"
import { AssignmentSource, AssignmentStatus, DistinctId } from "../experiments/AssignmentRecord.ts"
import { GameKey } from "../access/Auth.ts"
import { ApplicationNotFound, EnvironmentNotFound, Forbidden } from "../access/AccessErrors.ts"
import { ActiveExperiment, UnitContext } from "../experiments/ExperimentDescriptor.ts"
import { UnitType } from "../experiments/ExperimentRecord.ts"
import { KnownHash, PollHeaders } from "./GameHeaders.ts"
import { NotModified } from "../access/Images.ts"
import { optional } from "../Optional.ts"
import { requires } from "../access/RequiredPermission.ts"
import { example } from "../Example.ts"
import { RateLimited } from "../RequestErrors.ts"
import { Traffic } from "../Traffic.ts"

export const ActiveExperiments = Schema.Struct({
  hash: Schema.String,
  requiredProperties: Schema.Array(Schema.String),
  experiments: Schema.Array(ActiveExperiment)
}).annotations({ identifier: "ActiveExperiments" })
export type ActiveExperiments = typeof ActiveExperiments.Type

export const AssignUnits = Schema.Struct({
  unitType: UnitType,
  sharedContext: optional(UnitContext),
  units: Schema.Array(Schema.Struct({ distinctId: DistinctId, context: optional(UnitContext) })).pipe(
    Schema.minItems(1),
    Schema.maxItems(250)
  )
})
  .annotations({ identifier: "AssignUnits" })
  .pipe(
    example({
      unitType: "user",
      sharedContext: { schemaVersion: 1, properties: { region: "eu-west" } },
      units: [
        { distinctId: "48213377", context: { properties: { level: 12 } } },
        { distinctId: "91022845", context: { properties: { level: 3 } } }
      ]
    })
  )
export type AssignUnits = typeof AssignUnits.Type

export const AssignedUnits = Schema.Struct({
  assignments: Schema.Record({
    key: Schema.String,
    value: Schema.Array(
      Schema.Struct({
        experimentId: ExperimentId,
        groupId: ExperimentGroupId,
        automaticGroupId: Schema.NullOr(ExperimentGroupId),
        overrideGroupId: Schema.NullOr(ExperimentGroupId),
        status: AssignmentStatus,
        source: AssignmentSource,
        assignmentVersion: Schema.Int
      })
    )
  })
}).annotations({ identifier: "AssignedUnits", description: "Assignments by distinct id" })
export type AssignedUnits = typeof AssignedUnits.Type

const OfUnitType = Schema.Struct({ ...KnownHash.fields, "unit-type": optional(UnitType) })

export class SdkExperimentsGroup extends HttpApiGroup.make("sdkExperiments")
  .add(
    HttpApiEndpoint.get("active", "/sdk/v2/experiments/active")
      .setHeaders(PollHeaders)
      .setUrlParams(OfUnitType)
      .addSuccess(ActiveExperiments)
      .addSuccess(NotModified)
      .annotateContext(requires("sdk:read", "environment"))
      .annotate(OpenApi.Summary, "Running experiments with the changes of their groups")
  )
  .add(
    HttpApiEndpoint.post("assign", "/sdk/v2/experiments/assignments/bulk")
      .setHeaders(PollHeaders)
      .setPayload(AssignUnits)
      .addSuccess(AssignedUnits)
      .annotate(Traffic, "evaluate")
      .annotateContext(requires("sdk:read", "environment"))
      .annotate(OpenApi.Summary, "Assign up to 250 units to every running experiment")
  )
  .addError(Forbidden)
  .addError(ApplicationNotFound)
  .addError(EnvironmentNotFound)
  .middleware(GameKey)
  .addError(RateLimited)
  .annotate(Traffic, "poll")
  .annotate(OpenApi.Title, "Game: experiments")
  .annotate(OpenApi.Description, "What games read of experiments.") {}
