import type { ExperimentGroupId, ExperimentId } from "../Ids.ts"
import type { Assignment, AssignmentSource } from "./Assignment.ts"
import type { UnitType } from "./Experiment.ts"

/** An assignment as stored. Instants are epoch ms. */
export interface StoredAssignment extends Assignment {
  readonly experimentId: ExperimentId
  readonly unitType: UnitType
  readonly distinctId: string
  /** How the unit came to its group. */
  readonly source: AssignmentSource
  /** Increases with each change of group or status, from 1. */
  readonly version: number
  readonly assignedAt: number
  readonly firstExposedAt: number | null
}

/**
 * The unit's group: the one given by hand, or else the automatic one. Null after an assignment by hand was withdrawn
 * and none is left.
 */
export const groupIn = ({ overrideGroupId, automaticGroupId }: StoredAssignment): ExperimentGroupId | null =>
  overrideGroupId ?? automaticGroupId
