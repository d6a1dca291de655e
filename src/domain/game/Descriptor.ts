import { DateTime } from "effect"
import type { AssignmentMode, ExperimentProgress, UnitType } from "../experiments/Experiment.ts"
import type { Targeting } from "../experiments/Targeting.ts"
import { requiredProperties } from "../experiments/Targeting.ts"
import type { ConfigurationId, ExperimentGroupId, ExperimentId } from "../Ids.ts"

/** The part of an experiment that games are told about, settled as of the time of the answer. */
export interface RunningExperiment {
  readonly id: ExperimentId
  readonly name: string
  readonly unitType: UnitType
  readonly assignmentMode: AssignmentMode
  readonly baseConfigurationId: ConfigurationId
  readonly autoAssignment: boolean
  readonly permanentEnrollment: boolean
  readonly targeting: Targeting
  readonly progress: ExperimentProgress
  /** In the order of their ordinals, like the weights in the progress. */
  readonly groups: ReadonlyArray<{
    readonly id: ExperimentGroupId
    readonly name: string
    readonly label: string | null
  }>
}

const weightOf = ({ assignmentMode, progress }: RunningExperiment, ordinal: number): number | null =>
  assignmentMode === "roundRobin" ? null : (progress.groups[ordinal]?.weight ?? 0)

/** An experiment as games see it. A group without a label uses its name; groups that take turns have no weight. */
export const describe = (experiment: RunningExperiment) => ({
  id: experiment.id,
  name: experiment.name,
  unitType: experiment.unitType,
  assignmentMode: experiment.assignmentMode,
  baseConfigurationId: experiment.baseConfigurationId,
  autoAssignment: experiment.autoAssignment,
  permanentEnrollment: experiment.permanentEnrollment,
  requiredProperties: requiredProperties([experiment.targeting]),
  startsAt: DateTime.unsafeMake(experiment.progress.startsAt),
  endsAt: experiment.progress.endsAt === null ? null : DateTime.unsafeMake(experiment.progress.endsAt),
  groups: experiment.groups.map(({ id, name, label }, ordinal) => ({
    id,
    label: label ?? name,
    weight: weightOf(experiment, ordinal),
    ordinal
  }))
})
