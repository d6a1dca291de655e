import type { FlagMetadata, ResolutionReason } from "@openfeature/core"
import { StandardResolutionReasons } from "@openfeature/core"
import type { Assignment, Evaluation } from "../sdk/Evaluation.ts"
import type { ExperimentGroup, RunningExperiment } from "../sdk/RunningExperiments.ts"
import { type Path, touches, valueAt } from "./Flag.ts"

/** Why a flag has its value, and by which group. */
export interface Decision {
  readonly reason: ResolutionReason
  readonly group: string | null
  readonly metadata: FlagMetadata
}

/** Whether any group of the experiment changes what is at one of the paths. */
export const decidesAbout = ({ groups }: RunningExperiment, paths: ReadonlyArray<Path>): boolean =>
  groups.some(({ changes }) => changes.some(({ path }) => paths.some((each) => touches(path, each))))

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/**
 * Whether the unit's configuration has what the group sets. A member whom the targeting of an experiment no longer matches may get the base
 * instead. A change that a later one overwrites says nothing.
 */
const isApplied = ({ changes }: ExperimentGroup, paths: ReadonlyArray<Path>, { configuration }: Evaluation): boolean =>
  changes.every(({ path, isDeleted, value }, at) => {
    if (!paths.some((each) => touches(path, each))) return true
    if (changes.slice(at + 1).some((later) => touches(later.path, path))) return true
    return isSame(valueAt(configuration, path), isDeleted ? undefined : value)
  })

const reasonOf = ({ groups, isTargeted }: RunningExperiment, { source }: Assignment): ResolutionReason => {
  if (source === "manual") return StandardResolutionReasons.TARGETING_MATCH
  const shares = groups.filter(({ weight }) => weight !== 0)
  return isTargeted && shares.length === 1 ? StandardResolutionReasons.TARGETING_MATCH : StandardResolutionReasons.SPLIT
}

/** Why the unit has its value at these paths, by the experiments that may decide about them. */
export const decisionOf = (
  evaluation: Evaluation,
  experiments: ReadonlyArray<RunningExperiment>,
  paths: ReadonlyArray<Path>
): Decision => {
  const deciding = experiments.filter((each) => decidesAbout(each, paths))
  for (const experiment of deciding) {
    const assignment = evaluation.experiments.find(({ experimentId }) => experimentId === experiment.id)
    const group = experiment.groups.find(({ id }) => id === assignment?.groupId)
    if (assignment === undefined || group === undefined || !isApplied(group, paths, evaluation)) continue
    return {
      reason: reasonOf(experiment, assignment),
      group: group.label,
      metadata: { experimentId: experiment.id, experiment: experiment.name, groupId: group.id, group: group.label }
    }
  }
  const reason = deciding.length === 0 ? StandardResolutionReasons.STATIC : StandardResolutionReasons.DEFAULT
  return { reason, group: null, metadata: {} }
}
