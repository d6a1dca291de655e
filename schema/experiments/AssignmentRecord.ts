import { Schema } from "effect"
import * as Assignment from "../../src/domain/experiments/Assignment.ts"
import { ExperimentGroupId } from "../../src/domain/Ids.ts"
import { UnitType } from "./ExperimentRecord.ts"
import { Instant } from "../Instant.ts"
import { optional, withDefault } from "../Optional.ts"
import { numeric, numericOr } from "../Parameters.ts"
import { text } from "../Text.ts"
import { example } from "../Example.ts"

export const AssignmentSource = Assignment.AssignmentSource.annotations({ identifier: "AssignmentSource" })
export const AssignmentStatus = Assignment.AssignmentStatus.annotations({ identifier: "AssignmentStatus" })

export const DistinctId = text(1, 256)

export const AssignmentRecord = Schema.Struct({
  distinctId: Schema.String,
  unitType: UnitType,
  groupId: ExperimentGroupId,
  automaticGroupId: Schema.NullOr(ExperimentGroupId),
  overrideGroupId: Schema.NullOr(ExperimentGroupId),
  status: AssignmentStatus,
  source: AssignmentSource,
  assignmentVersion: Schema.Int,
  assignedAt: Schema.DateTimeUtc,
  firstExposedAt: Schema.NullOr(Schema.DateTimeUtc)
}).annotations({
  identifier: "Assignment",
  description:
    "`firstExposedAt` is when this server first gave the unit its group in an answer. Exposures that come as `$exposure` markers are in results, and not here."
})
export type AssignmentRecord = typeof AssignmentRecord.Type

export const AssignmentList = Schema.Struct({
  items: Schema.Array(AssignmentRecord),
  page: Schema.Int,
  pageSize: Schema.Int,
  total: Schema.Int
}).annotations({ identifier: "AssignmentList" })
export type AssignmentList = typeof AssignmentList.Type

export const AssignmentsQuery = Schema.Struct({
  page: numericOr(Schema.Int.pipe(Schema.between(1, 1_000_000)), 1),
  pageSize: numericOr(Schema.Int.pipe(Schema.between(1, 1000)), 100),
  search: optional(text(1, 256)),
  source: optional(AssignmentSource),
  status: optional(AssignmentStatus),
  groupId: optional(numeric(ExperimentGroupId))
})
export type AssignmentsQuery = typeof AssignmentsQuery.Type

export const SetAssignment = Schema.Struct({
  distinctId: DistinctId,
  groupId: Schema.NullOr(ExperimentGroupId),
  ignoreExclusion: withDefault(Schema.Boolean, false)
})
  .annotations({ identifier: "SetAssignment", description: "groupId null clears the override" })
  .pipe(example({ distinctId: "48213377", groupId: 2 }))
export type SetAssignment = typeof SetAssignment.Type

export const AssignedUnit = Schema.Struct({ distinctId: DistinctId })
  .annotations({ identifier: "AssignedUnit" })
  .pipe(example({ distinctId: "48213377" }))
export type AssignedUnit = typeof AssignedUnit.Type

/** One line of an import. */
export const ImportedAssignment = Schema.Struct({
  distinctId: DistinctId,
  groupId: ExperimentGroupId,
  at: optional(Instant)
}).annotations({ identifier: "ImportedAssignment" })
export type ImportedAssignment = typeof ImportedAssignment.Type

export const AssignmentsImported = Schema.Struct({
  importedCount: Schema.Int,
  rejectedCount: Schema.Int,
  rejected: Schema.Array(
    Schema.Struct({
      index: Schema.Int,
      distinctId: Schema.NullOr(Schema.String),
      code: Schema.String,
      reason: Schema.String
    })
  )
}).annotations({ identifier: "AssignmentsImported" })
export type AssignmentsImported = typeof AssignmentsImported.Type
