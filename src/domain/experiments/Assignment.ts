import { Schema } from "effect"
import type { ExperimentGroupId } from "../Ids.ts"

export const AssignmentSource = Schema.Literal("weightedHash", "roundRobin", "manual")
export type AssignmentSource = typeof AssignmentSource.Type

export const AssignmentStatus = Schema.Literal("active", "unenrolled")
export type AssignmentStatus = typeof AssignmentStatus.Type

/** A unit's assignment in an experiment. Its group only ever changes by hand. */
export interface Assignment {
  /** Given by hash or in turn; null if the unit was only ever assigned by hand. */
  readonly automaticGroupId: ExperimentGroupId | null
  /** Given by hand; takes precedence over everything else. */
  readonly overrideGroupId: ExperimentGroupId | null
  readonly status: AssignmentStatus
}
