import { unfiltered } from "../../../src/domain/analytics/filter/Filter.ts"
import { MomentTally } from "../../../src/domain/experiments/results/Moments.ts"
import type { Report } from "../../../src/domain/experiments/results/Report.ts"
import type { JudgedMetric, Judging, Trial } from "../../../src/domain/experiments/results/Trial.ts"
import { ExperimentGroupId, ExperimentId } from "../../../src/domain/Ids.ts"
import { report } from "../../../src/domain/experiments/results/Report.ts"
import type {
  Moments,
  PlannedMetric,
  ScorecardAnswer,
  ScorecardPlan
} from "../../../src/domain/experiments/results/ScorecardPlan.ts"
import { flat } from "../../../src/domain/experiments/statistics/Bayesian.ts"
import { named } from "../analytics/Markers.ts"

export const day = 86_400_000

const anything: PlannedMetric = {
  type: "amounts",
  amounts: [{ selector: named("x"), filter: unfiltered, argument: null }],
  atLeast: null,
  window: { from: 0, to: Infinity, countsAfter: -Infinity }
}

export const trialPlan = (changes: Partial<ScorecardPlan> = {}): ScorecardPlan => ({
  experimentId: ExperimentId.make(1),
  unitType: "user",
  groupIds: [ExperimentGroupId.make(1), ExperimentGroupId.make(2)],
  range: { from: -Infinity, to: 1000 * day },
  multipleExposure: "exclude",
  metrics: [anything],
  priorLength: 14 * day,
  asOf: 1000 * day,
  phases: [0],
  days: [0],
  ...changes
})

export const goal: JudgedMetric = { place: 0, shape: "proportion", role: "goal", direction: "increase" }

export const trial = (changes: Partial<Trial<JudgedMetric>> = {}): Trial<JudgedMetric> => ({
  control: 0,
  weights: [[5000, 5000]],
  dropped: [false, false],
  until: 8 * day,
  isPlannedEnd: false,
  metrics: [goal],
  ...changes
})

/** An answer of one day, with the moments of each metric by group; every unit counts for every metric. */
export const answerOf = (
  metrics: ReadonlyArray<ReadonlyArray<Moments>>,
  changes: Partial<ScorecardAnswer> = {}
): ScorecardAnswer => {
  const exposures = metrics[0]!.map(({ n }) => n)
  return {
    exposedUnits: exposures.reduce((sum, units) => sum + units, 0),
    multiplyExposed: 0,
    firstExposedAt: 0,
    phases: [exposures],
    days: [{ day: 0, exposures, metrics }],
    ...changes
  }
}

/** Moments of values with values from before. */
export const momentsOf = (units: ReadonlyArray<readonly [value: number, prior: number]>): Moments => {
  const tally = new MomentTally(1, 2)
  for (const unit of units) tally.add(0, unit, unit[1] !== 0)
  return tally.of(0)
}

/** `sum` of `n` units did it. */
export const shareOf = (n: number, sum: number): Moments => ({
  n,
  withPrior: 0,
  sums: [sum, 0],
  products: [sum, 0, 0]
})

export const standard: Judging = { correction: "holm", prior: flat }

export const reported = (
  answer: ScorecardAnswer,
  changes: Partial<Trial<JudgedMetric>> = {},
  judging: Judging = standard
): Report<JudgedMetric> => {
  const metrics = answer.days[0]?.metrics.map(() => anything) ?? [anything]
  return report(trialPlan({ metrics }), answer, trial(changes), judging)
}
