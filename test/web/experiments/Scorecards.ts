import type { Comparison, MetricResult, Scorecard } from "../../../src/web/experiments/ExperimentQueries.ts"
import type { Experiment } from "../../../src/web/experiments/ExperimentWords.ts"

const control = { id: 1, ordinal: 0, name: "gate_30", label: "Gate at level 30", weight: 5000, isControl: true }
const treated = { id: 2, ordinal: 1, name: "gate_40", label: "Gate at level 40", weight: 5000, isControl: false }

export const experimentOf = (changes: Partial<Experiment> = {}): Experiment => ({
  id: 1,
  applicationId: 1,
  environmentId: 1,
  name: "Gate",
  description: null,
  hypothesis: null,
  status: "active",
  unitType: "user",
  assignmentMode: "weightedHash",
  baseConfigurationId: 1,
  groups: [
    { ...control, changeset: { operations: [] } },
    { ...treated, changeset: { operations: [{ op: "set", path: ["gate", "level"], value: 40 }] } }
  ],
  targeting: { cohortIds: [], conditions: [], newUsersOnly: false },
  autoAssignment: true,
  permanentEnrollment: true,
  exclusionLayer: null,
  holdoutPercent: 0,
  rollout: { percent: 100, steps: [] },
  metrics: { goals: [], guardrails: [] },
  phases: [{ from: "2026-11-01T00:00:00.000Z", weights: [5000, 5000], percent: 100 }],
  degraded: false,
  missingPaths: [],
  startsAt: "2026-11-01T00:00:00.000Z",
  endsAt: null,
  terminatedAt: null,
  terminationReason: null,
  winnerGroupId: null,
  cohortComputations: [],
  createdBy: null,
  createdAt: "2026-11-01T00:00:00.000Z",
  updatedAt: "2026-10-01T00:00:00.000Z",
  ...changes
})

export const comparisonOf = (changes: Partial<Comparison> = {}): Comparison => ({
  controlGroupId: 1,
  groupId: 2,
  absolute: -0.0082,
  relative: -0.0431,
  frequentist: {
    statistic: -3.16,
    degreesOfFreedom: 90_000,
    pValue: 0.001556,
    adjustedPValue: 0.0031,
    interval: [-0.07, -0.016],
    absoluteInterval: null
  },
  sequential: { pValue: 0.083, interval: [-0.09, 0.004], absoluteInterval: null },
  bayesian: { chanceToWin: 0.0008, risk: [0, 0.04], interval: [-0.07, -0.016], absoluteInterval: null },
  cuped: null,
  verdict: "inconclusive",
  ...changes
})

export const metricOf = (comparison: Comparison, changes: Partial<MetricResult> = {}): MetricResult => ({
  id: "day7",
  name: "Seven-day retention",
  type: "retention",
  role: "goal",
  direction: "increase",
  groups: [
    { groupId: 1, n: 44_700, mean: 0.190201, variance: 0.154 },
    { groupId: 2, n: 45_489, mean: 0.182, variance: 0.149 }
  ],
  comparisons: [comparison],
  overTime: [],
  ...changes
})

export const fair = { observed: [44_700, 45_489], expected: [45_094.5, 45_094.5], chiSquare: 0.2, pValue: 0.6 }

export const scorecardOf = (metrics: ReadonlyArray<MetricResult>, changes: Partial<Scorecard> = {}): Scorecard => ({
  experimentId: 1,
  status: "active",
  asOf: "2026-11-21T12:00:00.000Z",
  schedule: {
    startsAt: "2026-11-01T00:00:00.000Z",
    endsAt: null,
    daysElapsed: 20.5,
    daysExposed: 20.1,
    daysLeft: null
  },
  groups: [
    { groupId: 1, name: "gate_30", isControl: true, dropped: false },
    { groupId: 2, name: "gate_40", isControl: false, dropped: false }
  ],
  exposures: [
    { groupId: 1, units: 44_700 },
    { groupId: 2, units: 45_489 }
  ],
  multipleExposure: { units: 0, share: 0 },
  srm: { ...fair, verdict: "healthy", phases: [] },
  metrics,
  power: { alpha: 0.05, power: 0.8, metrics: [] },
  ...changes
})

export const ended = experimentOf({ status: "completed", endsAt: "2026-11-21T00:00:00.000Z" })
export const losing = metricOf(comparisonOf({ verdict: "losing" }))
const safely = { pValue: 0.004, interval: [0.01, 0.2], absoluteInterval: null } as const
export const raised = { absolute: 0.03, relative: 0.16, sequential: safely, verdict: "winning" } as const
export const collecting = metricOf(comparisonOf({ verdict: "collecting" }))
export const few = {
  exposures: [
    { groupId: 1, units: 62 },
    { groupId: 2, units: 70 }
  ],
  schedule: { startsAt: "2026-11-01T00:00:00.000Z", endsAt: null, daysElapsed: 8.2, daysExposed: 4.7, daysLeft: null }
} as const
