import { dayMillis } from "../../../src/domain/Durations.ts"
import type { PlanDraft } from "../../../src/web/experiments/create/PlanDraft.ts"
import { freshGroup, freshMetric, freshPlan } from "../../../src/web/experiments/create/PlanDraft.ts"
import { laneOf } from "../../../src/web/experiments/create/PlanProblems.ts"
import type { Experiment } from "../../../src/web/experiments/ExperimentWords.ts"
import { lanesOf } from "../../../src/web/experiments/Lanes.ts"

/** A Wednesday. */
export const now = Date.parse("2026-11-18T12:00:00Z")
export const days = (count: number) => new Date(now + count * dayMillis).toISOString()

export const experiment = (changes: Partial<Experiment> = {}): Experiment => ({
  id: 1,
  applicationId: 1,
  environmentId: 1,
  name: "Cheaper pack",
  description: null,
  hypothesis: null,
  status: "active",
  unitType: "user",
  assignmentMode: "weightedHash",
  baseConfigurationId: 5,
  groups: ["price", "gems"].map((key, ordinal) => ({
    id: ordinal + 1,
    ordinal,
    name: key,
    label: null,
    weight: 5000,
    isControl: ordinal === 0,
    changeset: { operations: [{ op: "set", path: ["shop", key], value: 1 }] }
  })),
  targeting: { cohortIds: [], conditions: [], newUsersOnly: false },
  autoAssignment: true,
  permanentEnrollment: true,
  exclusionLayer: null,
  holdoutPercent: 0,
  rollout: { percent: 50, steps: [] },
  metrics: { goals: [], guardrails: [] },
  phases: [{ from: days(-10), weights: [5000, 5000], percent: 50 }],
  degraded: false,
  missingPaths: [],
  startsAt: days(-10),
  endsAt: days(10),
  terminatedAt: null,
  terminationReason: null,
  winnerGroupId: null,
  cohortComputations: [],
  createdBy: null,
  createdAt: days(-10),
  updatedAt: days(-10),
  ...changes
})

export const horizon = now + 60 * dayMillis

export const draft = (changes: Partial<PlanDraft> = {}): PlanDraft => ({
  ...freshPlan(),
  name: "Plan",
  baseId: 5,
  groups: [
    freshGroup("A", "50", true),
    { ...freshGroup("B", "50"), operations: [{ op: "set", path: ["rewards"], value: 2 }] }
  ],
  metrics: [{ ...freshMetric("goal"), marker: "Purchase" }],
  ...changes
})

export const collisionsOf = (plan: PlanDraft, others: ReadonlyArray<Experiment>) =>
  lanesOf(others, now, horizon, laneOf(plan, "UTC", now)).find(({ id }) => id === null)?.collisions ?? []
