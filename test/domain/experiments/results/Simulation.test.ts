import { assert, describe, it } from "@effect/vitest"
import type { Moments } from "../../../../src/domain/experiments/results/ScorecardPlan.ts"
import { report } from "../../../../src/domain/experiments/results/Report.ts"
import { unitScorecard } from "../../../../src/domain/experiments/results/UnitScorecard.ts"
import { add, none } from "../../../../src/domain/experiments/results/Moments.ts"
import { standardPlan, unitsPerArm } from "../../../../src/domain/experiments/statistics/Power.ts"
import { marker } from "../../../support/analytics/Markers.ts"
import { binomial, gaussian, seeded } from "../../../support/Seeded.ts"
import {
  answerOf,
  day,
  goal,
  momentsOf,
  reported,
  shareOf,
  standard,
  trial,
  trialPlan
} from "../../../support/experiments/Trials.ts"

const daily = 60
const alpha = 0.05

/** What a day of units adds to both groups: a share that converts and a skewed amount, the same for both. */
const drawn = (random: () => number) => {
  const converted = () => shareOf(daily, binomial(random, daily, 0.2))
  const spent = () =>
    momentsOf(Array.from({ length: daily }, () => [random() < 0.3 ? Math.exp(1 + gaussian(random)) : 0, 0] as const))
  return [
    [converted(), converted()],
    [spent(), spent()]
  ]
}

const goals = [goal, { ...goal, place: 1, shape: "mean" as const }]

/** Whether any look at the end of a day, for four weeks, called a difference. */
const falseAlarm = (seed: number): boolean => {
  const random = seeded(seed)
  let totals: ReadonlyArray<ReadonlyArray<Moments>> = [
    [none(2), none(2)],
    [none(2), none(2)]
  ]
  for (let today = 1; today <= 28; today++) {
    const fresh = drawn(random)
    totals = totals.map((groups, metric) => groups.map((group, ordinal) => add(group, fresh[metric]![ordinal]!)))
    const { metrics } = reported(answerOf(totals), { metrics: goals, until: today * day })
    const verdicts = metrics.flatMap(({ comparisons }) => comparisons.map(({ verdict }) => verdict))
    if (verdicts.some((verdict) => verdict === "winning" || verdict === "losing")) return true
  }
  return false
}

describe("500 A/A experiments with two goals, looked at every day for four weeks", () => {
  it("call a difference that is not there in at most alpha of them", () => {
    const alarms = Array.from({ length: 500 }, (_, seed) => falseAlarm(seed + 1)).filter((alarm) => alarm).length
    assert.isAtMost(alarms / 500, alpha)
  })
})

describe("500 experiments with a known lift and the units it takes to find it", () => {
  const [base, lift] = [0.2, 0.03]
  const units = unitsPerArm((base * (1 - base) + (base + lift) * (1 - base - lift)) / 2, lift)

  it("find it at the planned end with the planned power", () => {
    const found = Array.from({ length: 500 }, (_, seed) => {
      const random = seeded(seed + 1)
      const groups = [
        shareOf(units, binomial(random, units, base)),
        shareOf(units, binomial(random, units, base + lift))
      ]
      return reported(answerOf([groups]), { until: 14 * day, isPlannedEnd: true }).metrics[0]!.comparisons[0]!.verdict
    }).filter((verdict) => verdict === "winning").length
    const deviation = Math.sqrt((standardPlan.power * (1 - standardPlan.power)) / 500)
    assert.isAtLeast(found / 500, standardPlan.power - 2.5 * deviation)
    assert.isAtMost(found / 500, standardPlan.power + 2.5 * deviation)
  })
})

const ramp = [
  [9000, 1000],
  [7500, 2500],
  [5000, 5000]
]

/** Units arrive all through a ramp, a week a phase; of those of the treatment only `kept` are ever exposed. */
const ramped = (seed: number, kept: number) => {
  const random = seeded(seed)
  const plan = trialPlan({ phases: [0, 7 * day, 14 * day] })
  const exposures = ramp.flatMap(([share = 0], phase) =>
    Array.from({ length: 15_000 }, (_, index) => {
      const groupId = random() * 10_000 < share ? 1 : 2
      const at = Math.floor((phase + random()) * 7 * day)
      return groupId === 2 && random() >= kept
        ? []
        : [marker(index, `${phase}-${index}`, "$exposure", at, { arguments: { experimentId: 1, groupId } })]
    }).flat()
  )
  return report(plan, unitScorecard(exposures, plan), trial({ weights: ramp, until: 21 * day }), standard)
}

describe("a ramp of the treatment from 10 % to 50 % in three phases", () => {
  const seeds = [1, 2, 3, 4, 5]

  it("is no mismatch of the sample ratio, although groups are far from the last weights", () => {
    for (const seed of seeds) {
      const { sampleRatio, exposures, metrics } = ramped(seed, 1)
      assert.strictEqual(sampleRatio.verdict, "healthy")
      assert.isTrue(sampleRatio.phases.every(({ verdict }) => verdict === "healthy"))
      assert.isAbove(exposures[0]!.units, 2 * exposures[1]!.units)
      assert.notStrictEqual(metrics[0]!.comparisons[0]!.verdict, "unhealthy")
    }
  })

  it("is one when the treatment loses 5 % of its units, and then there is no other verdict", () => {
    for (const seed of seeds) {
      const { sampleRatio, metrics } = ramped(seed, 0.95)
      assert.strictEqual(sampleRatio.verdict, "unhealthy")
      assert.strictEqual(metrics[0]!.comparisons[0]!.verdict, "unhealthy")
    }
  })
})
