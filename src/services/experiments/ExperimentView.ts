import { DateTime } from "effect"
import type { ExperimentMetrics } from "../../../schema/experiments/ExperimentMetric.ts"
import type {
  CohortComputation,
  ExperimentPlan,
  ExperimentRecord
} from "../../../schema/experiments/ExperimentRecord.ts"
import type { RolloutRecord } from "../../../schema/experiments/Rollout.ts"
import type { ExperimentDraft } from "../../domain/experiments/ExperimentDraft.ts"
import type { Rollout } from "../../domain/experiments/Rollout.ts"
import type { StoredExperiment } from "../../domain/experiments/StoredExperiment.ts"
import { everyone, groupsOf } from "./ExperimentRequest.ts"

const instant = (at: number): DateTime.Utc => DateTime.unsafeMake(at)
const instantOrNull = (at: number | null): DateTime.Utc | null => (at === null ? null : instant(at))

/** What is known of an experiment besides itself. */
export interface Surroundings extends Pick<ExperimentRecord, "degraded" | "missingPaths"> {
  readonly metrics: ExperimentMetrics
  readonly cohortComputations: ReadonlyArray<CohortComputation>
}

/** Targeting in the form of the API. */
export const targetingOf = ({ cohortIds, conditions, newUsersOnly }: StoredExperiment["targeting"]) => ({
  cohortIds,
  conditions: conditions.map(({ property, operator, value }) => ({
    property,
    operator,
    ...(value === null ? {} : { value })
  })),
  newUsersOnly
})

/** The percent that holds and the steps that are to come: those that were taken or skipped, maybe long before their time, will not be. */
const planOf = ({ percent, steps }: Rollout) => ({
  percent,
  steps: steps.filter(({ state }) => state === "pending").map(({ at, percent }) => ({ at: instant(at), percent }))
})

const scheduleOf = ({ progress }: StoredExperiment) => ({
  status: progress.status,
  startsAt: instant(progress.startsAt),
  endsAt: instantOrNull(progress.endsAt),
  terminatedAt: instantOrNull(progress.terminatedAt),
  terminationReason: progress.terminationReason,
  winnerGroupId: progress.winnerGroupId,
  phases: progress.phases.map(({ from, weights, percent }) => ({ from: instant(from), weights, percent })),
  rollout: planOf(progress.rollout)
})

/** The wire record of an experiment that is settled. */
export const recordOf = (experiment: StoredExperiment, surroundings: Surroundings): ExperimentRecord => ({
  id: experiment.id,
  applicationId: experiment.applicationId,
  environmentId: experiment.environmentId,
  name: experiment.name,
  description: experiment.description,
  hypothesis: experiment.hypothesis,
  unitType: experiment.unitType,
  assignmentMode: experiment.assignmentMode,
  baseConfigurationId: experiment.baseConfigurationId,
  groups: experiment.groups.map(({ id, name, label, isControl, changeset }, ordinal) => ({
    id,
    ordinal,
    name,
    label,
    isControl,
    changeset,
    weight: experiment.progress.groups[ordinal]?.weight ?? 0
  })),
  targeting: targetingOf(experiment.targeting),
  autoAssignment: experiment.autoAssignment,
  permanentEnrollment: experiment.permanentEnrollment,
  exclusionLayer: experiment.exclusionLayer,
  holdoutPercent: experiment.holdoutPercent,
  ...scheduleOf(experiment),
  ...surroundings,
  createdBy: experiment.createdBy,
  createdAt: experiment.createdAt,
  updatedAt: experiment.updatedAt
})

export const rolloutOf = ({ percent, status, steps, history }: Rollout): RolloutRecord => ({
  percent,
  status,
  steps: steps.map((step) => ({ ...step, at: instant(step.at) })),
  history: history.map((entry) => ({ ...entry, at: instant(entry.at) }))
})

/** The wire record of a draft. */
export const draftRecordOf = (
  draft: ExperimentDraft,
  plan: ExperimentPlan,
  surroundings: Surroundings
): ExperimentRecord => ({
  id: draft.id,
  applicationId: draft.applicationId,
  environmentId: draft.environmentId,
  name: plan.name,
  description: plan.description ?? null,
  hypothesis: plan.hypothesis ?? null,
  status: "draft",
  unitType: plan.unitType,
  assignmentMode: plan.assignmentMode,
  baseConfigurationId: plan.baseConfigurationId,
  groups: groupsOf(plan, draft).map((group, ordinal) => ({
    ...group,
    ordinal,
    weight: plan.groups[ordinal]?.weight ?? 0
  })),
  targeting: plan.targeting ?? everyone,
  autoAssignment: plan.autoAssignment,
  permanentEnrollment: plan.permanentEnrollment,
  exclusionLayer: plan.exclusionLayer ?? null,
  holdoutPercent: plan.holdoutPercent,
  rollout: plan.rollout,
  phases: [],
  startsAt: plan.startsAt ?? null,
  endsAt: plan.endsAt ?? null,
  terminatedAt: null,
  terminationReason: null,
  winnerGroupId: null,
  ...surroundings,
  createdBy: draft.createdBy,
  createdAt: draft.createdAt,
  updatedAt: draft.updatedAt
})
