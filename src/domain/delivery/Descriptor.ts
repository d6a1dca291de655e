import { DateTime } from "effect"
import type { AssignmentMode, UnitType } from "../experiments/Experiment.ts"
import type { Targeting } from "../experiments/Targeting.ts"
import { requiredProperties } from "../experiments/Targeting.ts"
import type { ConfigurationId, ExperimentGroupId, ExperimentId } from "../Ids.ts"

/** What games are told about comes from this much of an experiment. Instants are UTC epoch milliseconds. */
export interface RunningExperiment {
  readonly id: ExperimentId
  readonly name: string
  readonly unitType: UnitType
  readonly assignmentMode: AssignmentMode
  readonly baseConfigurationId: ConfigurationId
  readonly autoAssignment: boolean
  readonly permanentEnrollment: boolean
  readonly targeting: Targeting
  readonly startsAt: number
  readonly endsAt: number | null
  /** By ordinal. The weight is in basis points. */
  readonly groups: ReadonlyArray<{
    readonly id: ExperimentGroupId
    readonly name: string
    readonly label: string | null
    readonly weight: number
  }>
}

/** An experiment as games see it. A group without a label goes by its name; where groups take turns they have no weight. */
export const describe = (experiment: RunningExperiment) => ({
  id: experiment.id,
  name: experiment.name,
  unitType: experiment.unitType,
  assignmentMode: experiment.assignmentMode,
  baseConfigurationId: experiment.baseConfigurationId,
  autoAssignment: experiment.autoAssignment,
  permanentEnrollment: experiment.permanentEnrollment,
  requiredProperties: requiredProperties([experiment.targeting]),
  startsAt: DateTime.unsafeMake(experiment.startsAt),
  endsAt: experiment.endsAt === null ? null : DateTime.unsafeMake(experiment.endsAt),
  groups: experiment.groups.map(({ id, name, label, weight }, ordinal) => ({
    id,
    label: label ?? name,
    weight: experiment.assignmentMode === "roundRobin" ? null : weight,
    ordinal
  }))
})
