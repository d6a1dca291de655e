import { assert, describe, it } from "@effect/vitest"
import { ExperimentGroupId } from "../../../../src/domain/Ids.ts"
import { report } from "../../../../src/domain/experiments/results/Report.ts"
import { MomentTally, none } from "../../../../src/domain/experiments/results/Moments.ts"
import type { Moments } from "../../../../src/domain/experiments/results/ScorecardPlan.ts"
import { gap } from "../../../support/analytics/Gap.ts"
import { gaussian, seeded } from "../../../support/Seeded.ts"
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

const retention1 = [shareOf(44_700, 20_034), shareOf(45_489, 20_119)]
const retention7 = [shareOf(44_700, 8_502), shareOf(45_489, 8_279)]
const guardrail = { ...goal, place: 1, role: "guardrail" as const }

describe("a report", () => {
  it("of Cookie Cats agrees with the published numbers and warns of the sample ratio", () => {
    const { metrics, sampleRatio } = reported(answerOf([retention1, retention7]), {
      metrics: [goal, { ...goal, place: 1 }]
    })
    const [first, second] = metrics.map(({ comparisons }) => comparisons[0]!)
    assert.strictEqual(first!.frequentist.statistic!.toFixed(4), "-1.7841")
    assert.isNull(gap(first!.frequentist.pValue!, 0.07441, 1e-4))
    assert.strictEqual(second!.frequentist.statistic!.toFixed(4), "-3.1641")
    assert.isNull(gap(second!.frequentist.pValue!, 0.001556, 1e-3))
    assert.strictEqual(sampleRatio.verdict, "warning")
    assert.strictEqual(second!.verdict, "inconclusive")
    const atTheEnd = reported(answerOf([retention1, retention7]), {
      metrics: [goal, { ...goal, place: 1 }],
      isPlannedEnd: true
    })
    assert.deepEqual(
      atTheEnd.metrics.map(({ comparisons }) => comparisons[0]!.verdict),
      ["inconclusive", "losing"]
    )
  })

  it("corrects p-values over goals and leaves those of guardrails", () => {
    const both = answerOf([retention1, retention7])
    const adjustedOf = (metrics: ReadonlyArray<typeof goal>, correction: "holm" | "benjaminiHochberg") =>
      reported(both, { metrics }, { ...standard, correction }).metrics.map(({ comparisons }) => [
        comparisons[0]!.frequentist.pValue!,
        comparisons[0]!.adjustedPValue!
      ])
    const goals = [goal, { ...goal, place: 1 }]
    const [[p1, holm1], [p7, holm7]] = adjustedOf(goals, "holm") as [[number, number], [number, number]]
    assert.isNull(gap(holm1, p1))
    assert.isNull(gap(holm7, 2 * p7))
    const [, [, hochberg7]] = adjustedOf(goals, "benjaminiHochberg") as [[number, number], [number, number]]
    assert.isNull(gap(hochberg7, 2 * p7))
    assert.deepEqual(adjustedOf([goal, guardrail], "holm"), [
      [p1, p1],
      [p7, p7]
    ])
  })

  it("says null of what cannot be compared, and counts it in no correction", () => {
    const nobody = [shareOf(200, 0), shareOf(200, 0)]
    const { metrics } = reported(answerOf([nobody, retention7]), { metrics: [goal, { ...goal, place: 1 }] })
    const [comparison] = metrics[0]!.comparisons
    assert.deepInclude(comparison!, { absolute: 0, relative: null, adjustedPValue: null, verdict: "inconclusive" })
    assert.deepEqual(comparison!.sequential, { pValue: null, interval: null, absoluteInterval: null })
    const [other] = metrics[1]!.comparisons
    assert.strictEqual(other!.adjustedPValue, other!.frequentist.pValue)
  })

  it("finds what only happens to one group: a crash that nobody of the control has ever seen", () => {
    const crashes = answerOf([[shareOf(1_000, 0), shareOf(1_000, 40)]])
    const { metrics } = reported(crashes, { metrics: [{ ...guardrail, place: 0, direction: "decrease" }] })
    const { absolute, relative, sequential, bayesian, verdict } = metrics[0]!.comparisons[0]!
    assert.deepEqual([absolute, relative, sequential.interval, bayesian.chanceToWin], [0.04, null, null, null])
    assert.isAbove(sequential.absoluteInterval![0], 0)
    assert.strictEqual(verdict, "losing")
  })

  it("has an empty place for a metric that could not be asked for", () => {
    const { metrics } = reported(answerOf([retention1]), { metrics: [{ ...goal, place: null }, goal] })
    assert.deepEqual(metrics[0], {
      metric: { ...goal, place: null },
      groups: [],
      comparisons: [],
      history: [],
      power: { minimumDetectableEffect: null, unitsPerGroup: null }
    })
    assert.isNotEmpty(metrics[1]!.comparisons)
  })

  it("of nobody compares nothing", () => {
    const empty = { ...answerOf([[none(2), none(2)]]), firstExposedAt: null, days: [] }
    const { metrics, multipleExposure, sampleRatio } = reported(empty)
    assert.deepEqual(multipleExposure, { units: 0, share: 0 })
    assert.strictEqual(sampleRatio.verdict, "insufficient")
    assert.deepInclude(metrics[0]!.comparisons[0]!, { absolute: null, relative: null, verdict: "collecting" })
  })

  it("tells the ratio of a group of one, and none of a group that has nothing to divide by", () => {
    const ratioOf = (...units: ReadonlyArray<readonly [above: number, below: number]>) => {
      const tally = new MomentTally(1, 4)
      for (const unit of units) tally.add(0, [...unit, 0, 0], false)
      return tally.of(0)
    }
    const told = (control: Moments, treatment: Moments) => {
      const { groups, comparisons, history } = reported(answerOf([[control, treatment]]), {
        metrics: [{ ...goal, shape: "ratio" }]
      }).metrics[0]!
      const { absolute, relative } = comparisons[0]!
      assert.deepStrictEqual(
        history[0]!.groups.map(({ mean }) => mean),
        groups.map(({ mean }) => mean)
      )
      return [...groups.map(({ mean, variance }) => [mean, variance]), [absolute, relative]]
    }
    const [one, empty] = [ratioOf([6, 2]), ratioOf([0, 0], [0, 0])]
    assert.deepStrictEqual(told(one, ratioOf([9, 2])), [
      [3, 0],
      [4.5, 0],
      [1.5, 0.5]
    ])
    assert.deepStrictEqual(told(one, empty), [
      [3, 0],
      [null, null],
      [null, null]
    ])
  })

  it("gives no verdict when more than a tenth of the units are in two groups", () => {
    const mixed = answerOf([retention7], { exposedUnits: 100_300, multiplyExposed: 10_111 })
    assert.strictEqual(reported(mixed).metrics[0]!.comparisons[0]!.verdict, "unhealthy")
    const few = answerOf([retention7], { exposedUnits: 90_689, multiplyExposed: 500 })
    assert.strictEqual(reported(few).metrics[0]!.comparisons[0]!.verdict, "inconclusive")
  })

  it("gives no verdict when so many are in two groups that hardly anybody counts", () => {
    const mixed = answerOf([[shareOf(20, 5), shareOf(30, 6)]], { exposedUnits: 1000, multiplyExposed: 950 })
    assert.strictEqual(reported(mixed).metrics[0]!.comparisons[0]!.verdict, "unhealthy")
  })

  it("collects until 100 units of each group count for the metric", () => {
    const finished = [shareOf(12, 1), shareOf(12, 12)]
    const { days, ...answer } = answerOf([finished, [shareOf(1000, 100), shareOf(1000, 200)]])
    const known = { ...answer, days: days.map((each) => ({ ...each, exposures: [1000, 1000] })) }
    const metrics = [goal, { ...goal, place: 1 }]
    assert.deepStrictEqual(
      reported(known, { metrics, isPlannedEnd: true }).metrics.map(({ comparisons }) => comparisons[0]!.verdict),
      ["collecting", "winning"]
    )
  })

  it("collects for a week from the first exposure, and lets the fixed horizon decide only at its end", () => {
    const slight = answerOf([[shareOf(5000, 1000), shareOf(5000, 1090)]])
    const verdictAt = (until: number, isPlannedEnd = false) =>
      reported(slight, { until, isPlannedEnd }).metrics[0]!.comparisons[0]!.verdict
    assert.strictEqual(verdictAt(7 * day - 1), "collecting")
    assert.strictEqual(verdictAt(7 * day), "inconclusive")
    assert.strictEqual(verdictAt(7 * day, true), "winning")
  })

  it("tells the effect it could find, and the units the one seen would take", () => {
    const { metrics } = reported(answerOf([[shareOf(1000, 200), shareOf(4000, 880)]]))
    const { minimumDetectableEffect, unitsPerGroup } = metrics[0]!.power
    assert.isNull(gap(minimumDetectableEffect!, (2.801585218 * Math.sqrt((2 * 0.16) / 1000)) / 0.2, 1e-6))
    assert.strictEqual(unitsPerGroup, Math.ceil((2 * 2.801585218 ** 2 * 0.16) / 0.02 ** 2))
  })

  it("tells the effect that the groups which were not dropped can find, and what was seen in those", () => {
    const [control, dear, tiny] = [shareOf(1000, 200), shareOf(4000, 880), shareOf(10, 8)]
    const powerOf = (groups: ReadonlyArray<typeof control>, dropped: ReadonlyArray<boolean>) => {
      const groupIds = groups.map((_, ordinal) => ExperimentGroupId.make(ordinal + 1))
      const weights = [groups.map(() => 1)]
      const answer = answerOf([groups])
      return report(trialPlan({ groupIds }), answer, trial({ weights, dropped }), standard).metrics[0]!.power
    }
    const two = powerOf([control, dear], [false, false])
    const three = powerOf([control, dear, tiny], [false, false, false])
    assert.isAbove(three.minimumDetectableEffect!, 5 * two.minimumDetectableEffect!)
    assert.isBelow(three.unitsPerGroup!, two.unitsPerGroup!)
    assert.deepEqual(powerOf([control, dear, tiny], [false, false, true]), two)
    // The control stays what all others are compared with, and of groups that all were dropped each counts.
    assert.deepEqual(powerOf([control, dear, tiny], [true, false, true]), two)
    assert.deepEqual(powerOf([control, dear, tiny], [false, true, true]), three)
  })

  it("is narrower where the past tells the present", () => {
    const random = seeded(3)
    const units = (lift: number) =>
      Array.from({ length: 400 }, () => {
        const prior = 10 + 3 * gaussian(random)
        return [prior + lift + gaussian(random), prior] as const
      })
    const mean = { ...goal, shape: "mean" as const }
    const { metrics } = reported(answerOf([[momentsOf(units(0)), momentsOf(units(0.5))]]), { metrics: [mean] })
    const { cuped, sequential } = metrics[0]!.comparisons[0]!
    assert.isNotNull(cuped)
    assert.isNull(gap(cuped!.theta, 1, 0.05))
    assert.strictEqual(cuped!.unitsWithPriorData, 800)
    const width = (interval: readonly [number, number] | null) => interval![1] - interval![0]
    assert.isBelow(width(cuped!.sequential.interval), 0.5 * width(sequential.interval))
  })

  it("goes through the days from the first exposure to the last, cumulatively", () => {
    const days = [0, 1, 2, 3, 4].map((index) => index * day)
    const [control, treatment] = [shareOf(100, 20), shareOf(100, 25)]
    const answer = answerOf([[control, treatment]], {
      days: [1, 3].map((at) => ({ day: at, exposures: [100, 100], metrics: [[control, treatment]] }))
    })
    const { history } = report(trialPlan({ days }), answer, trial(), standard).metrics[0]!
    assert.deepEqual(
      history.map(({ at, groups }) => [at, ...groups.map(({ n }) => n), groups[1]!.mean]),
      [
        [day, 100, 100, 0.25],
        [2 * day, 100, 100, 0.25],
        [3 * day, 200, 200, 0.25]
      ]
    )
  })
})
