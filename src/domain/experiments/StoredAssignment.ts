import type { ExperimentGroupId, ExperimentId } from "../Ids.ts"
import type { Assignment, AssignmentSource } from "./Assignment.ts"
import type { UnitType } from "./Experiment.ts"

/** An assignment as it is kept. Instants are UTC epoch milliseconds. */
export interface StoredAssignment extends Assignment {
  readonly experimentId: ExperimentId
  readonly unitType: UnitType
  readonly distinctId: string
  /** How the unit came to the group it is in. */
  readonly source: AssignmentSource
  /** Counts the changes of group and status, from 1. */
  readonly version: number
  readonly assignedAt: number
  readonly firstExposedAt: number | null
}

/** The group a unit is in: the one given by hand before the automatic one; null when it was only ever given by hand, and taken back. */
export const groupIn = ({ overrideGroupId, automaticGroupId }: StoredAssignment): ExperimentGroupId | null =>
  overrideGroupId ?? automaticGroupId
