import { Schema } from "effect"
import type { ExperimentGroupId } from "../Ids.ts"

export const AssignmentSource = Schema.Literal("weightedHash", "roundRobin", "manual")
export type AssignmentSource = typeof AssignmentSource.Type

export const AssignmentStatus = Schema.Literal("active", "unenrolled")
export type AssignmentStatus = typeof AssignmentStatus.Type

/** What is kept of a unit in an experiment. It never moves to another group by itself. */
export interface Assignment {
  /** Given by hash or turn; null when the unit was only ever assigned by hand. */
  readonly automaticGroupId: ExperimentGroupId | null
  /** Given by hand; comes before everything else. */
  readonly overrideGroupId: ExperimentGroupId | null
  readonly status: AssignmentStatus
}
