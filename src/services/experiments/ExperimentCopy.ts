import { DateTime } from "effect"
import type { ExperimentMetrics } from "../../../schema/experiments/ExperimentMetric.ts"
import type { ExperimentPlan } from "../../../schema/experiments/ExperimentRecord.ts"
import { firstCharacters } from "../../domain/Characters.ts"
import type { ExperimentProgress } from "../../domain/experiments/Experiment.ts"
import type { PlannedStep } from "../../domain/experiments/Rollout.ts"
import type { StoredExperiment } from "../../domain/experiments/StoredExperiment.ts"
import { targetingOf } from "./ExperimentView.ts"

/**
 * Steps as a plan may have them, which rise and lie before the end. Those that were skipped or taken before their time are left out where a new
 * plan begins no later, and so are those that the end came before, since it was moved or a pause had delayed them.
 */
const stepsOf = ({ rollout: { steps }, endsAt }: ExperimentProgress): ReadonlyArray<PlannedStep> =>
  steps.filter(({ at }, place) => at < (endsAt ?? Infinity) && steps.slice(place + 1).every((later) => later.at > at))

/** The plan that an experiment was begun with: weights and percent of its first phase, where it has one. */
export const planBehind = (experiment: StoredExperiment, metrics: ExperimentMetrics): ExperimentPlan => {
  const { progress } = experiment
  const [first] = progress.phases
  return {
    name: experiment.name,
    description: experiment.description,
    hypothesis: experiment.hypothesis,
    unitType: experiment.unitType,
    assignmentMode: experiment.assignmentMode,
    baseConfigurationId: experiment.baseConfigurationId,
    groups: experiment.groups.map(({ name, label, isControl, changeset }, ordinal) => ({
      name,
      label,
      isControl,
      changeset,
      weight: first?.weights[ordinal] ?? progress.groups[ordinal]?.weight ?? 0
    })),
    targeting: targetingOf(experiment.targeting),
    autoAssignment: experiment.autoAssignment,
    permanentEnrollment: experiment.permanentEnrollment,
    exclusionLayer: experiment.exclusionLayer,
    holdoutPercent: experiment.holdoutPercent,
    rollout: {
      percent: first?.percent ?? progress.rollout.percent,
      steps: stepsOf(progress).map(({ at, percent }) => ({ at: DateTime.unsafeMake(at), percent }))
    },
    metrics,
    startsAt: DateTime.unsafeMake(progress.startsAt),
    endsAt: progress.endsAt === null ? null : DateTime.unsafeMake(progress.endsAt)
  }
}

const addition = " (copy)"
const longestName = 100

const nameOfCopy = (name: string): string => firstCharacters(name, longestName - addition.length) + addition

/** The plan of a copy: the same without the start, the end and the steps that have passed at `now` (epoch ms). */
export const copyOf = (plan: ExperimentPlan, now: number): ExperimentPlan => {
  const isAhead = (at: DateTime.Utc) => DateTime.toEpochMillis(at) > now
  const ahead = (at: DateTime.Utc | null | undefined) => (at !== null && at !== undefined && isAhead(at) ? at : null)
  return {
    ...plan,
    name: nameOfCopy(plan.name),
    rollout: { ...plan.rollout, steps: plan.rollout.steps.filter(({ at }) => isAhead(at)) },
    startsAt: ahead(plan.startsAt),
    endsAt: ahead(plan.endsAt)
  }
}
