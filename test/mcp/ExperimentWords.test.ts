import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import type { MetricComparison, Scorecard } from "../../schema/experiments/Scorecard.ts"
import { ExperimentGroupId, ExperimentId } from "../../src/domain/Ids.ts"
import { type Explained, experimentWords } from "../../src/mcp/ExperimentWords.ts"

/** An experiment on players of which everything is asked, with one goal. */
const prices: Explained = { name: "Prices", unitType: "user", goalComparisons: 1, isWhole: true, isPlannedEnd: false }

/** A scorecard of an experiment that nobody has come to. */
const emptyScorecard = (changes: Partial<Scorecard>): Scorecard => ({
  experimentId: ExperimentId.make(1),
  status: "active",
  asOf: DateTime.unsafeMake("2026-11-20T00:00:00Z"),
  schedule: {
    startsAt: DateTime.unsafeMake("2026-11-18T12:00:00Z"),
    endsAt: null,
    daysElapsed: 1.5,
    daysExposed: 1.5,
    daysLeft: null
  },
  groups: [],
  exposures: [
    { groupId: ExperimentGroupId.make(1), units: 3 },
    { groupId: ExperimentGroupId.make(2), units: 4 }
  ],
  multipleExposure: { units: 0, share: 0 },
  srm: { observed: [3, 4], expected: [3.5, 3.5], chiSquare: 0, pValue: 1, verdict: "insufficient", phases: [] },
  metrics: [],
  power: { alpha: 0.05, power: 0.8, metrics: [] },
  ...changes
})

/** A goal whose one comparison has the verdict. */
const metricsOf = (verdict: MetricComparison["verdict"], alwaysValid = 0.2): Scorecard["metrics"] => {
  const [control, treatment] = [ExperimentGroupId.make(1), ExperimentGroupId.make(2)]
  const intervals = { interval: [0.01, 0.09], absoluteInterval: null } as const
  const comparison: MetricComparison = {
    controlGroupId: control,
    groupId: treatment,
    absolute: 1,
    relative: 0.05,
    frequentist: { statistic: 2.6, degreesOfFreedom: 900, pValue: 0.005, adjustedPValue: 0.01, ...intervals },
    sequential: { pValue: alwaysValid, interval: [-0.01, 0.11], absoluteInterval: null },
    bayesian: { chanceToWin: 0.99, risk: null, ...intervals },
    cuped: null,
    verdict
  }
  return [
    {
      id: "buyers",
      name: "Buyers",
      type: "proportion",
      role: "goal",
      direction: "increase",
      groups: [],
      comparisons: [comparison],
      overTime: []
    }
  ]
}

describe("an experiment in words", () => {
  it.each([
    ["active", '"Prices" is active, for 1.5 days so far.', "No metric can be compared yet, so there is no verdict."],
    ["paused", '"Prices" is paused, for 1.5 days so far.', "No metric can be compared yet, so there is no verdict."],
    ["completed", '"Prices" is over: it ran for 1.5 days.', "No metric can be compared, so there is no verdict."],
    ["terminated", '"Prices" is over: it ran for 1.5 days.', "No metric can be compared, so there is no verdict."]
  ] as const)("that is %s", (status, first, verdict) => {
    assert.deepStrictEqual(experimentWords(prices, emptyScorecard({ status })).split("\n"), [
      first,
      `Verdict: ${verdict}`,
      'Players seen: "group 1" 3, "group 2" 4. They are too few to tell whether they were divided as the weights say.'
    ])
  })

  it.each([
    ["active", "(+5.0 %, interval -1.0 % to +11.0 %, always valid p 0.20)"],
    ["paused", "(+5.0 %, interval -1.0 % to +11.0 %, always valid p 0.20)"],
    // It was ended early, perhaps because of what somebody saw.
    ["terminated", "(+5.0 %, interval -1.0 % to +11.0 %, always valid p 0.20)"],
    ["completed", "(+5.0 %, interval +1.0 % to +9.0 %, adjusted p 0.010)"]
  ] as const)("that is %s gives the interval by which it is judged", (status, effect) => {
    const metrics = metricsOf("inconclusive")
    const isPlannedEnd = status === "completed"
    assert.include(experimentWords({ ...prices, isPlannedEnd }, emptyScorecard({ status, metrics })), effect)
  })

  it.each([
    ["unhealthy", "players were not divided as the weights say"],
    ["healthy", "12.5 % of the players saw more than one group"]
  ] as const)("says why it cannot be trusted where the split is %s", (split, flaw) => {
    const { srm } = emptyScorecard({})
    const words = experimentWords(
      prices,
      emptyScorecard({
        metrics: metricsOf("unhealthy"),
        multipleExposure: { units: 50, share: 0.125 },
        srm: { ...srm, verdict: split }
      })
    )
    assert.include(words, `Do not trust the results: ${flaw}.`)
    assert.include(words, `not to be trusted: ${flaw}`)
  })

  it.each([
    [
      "inconclusive",
      0.03,
      2,
      "always valid p 0.030 before the correction for several comparisons, after which it may be chance"
    ],
    ["inconclusive", 0.2, 2, "always valid p 0.20 before the correction for several comparisons)"],
    ["winning", 0.001, 2, "always valid p 0.0010 before the correction for several comparisons)"],
    ["winning", 0.001, 1, "always valid p 0.0010)"]
  ] as const)("that is %s by a p of %d, one of %d, tells what the verdict goes by", (verdict, pValue, count, words) => {
    const metrics = metricsOf(verdict, pValue)
    assert.include(experimentWords({ ...prices, goalComparisons: count }, emptyScorecard({ metrics })), words)
  })

  it("on game servers speaks of game servers", () => {
    const words = experimentWords(
      { ...prices, unitType: "server" },
      emptyScorecard({ metrics: metricsOf("unhealthy"), multipleExposure: { units: 50, share: 0.125 } })
    )
    assert.include(words, "12.5 % of the game servers saw more than one group")
    assert.include(words, "\nGame servers seen: ")
    assert.notInclude(words, "layers")
  })

  it("of which one metric is asked says that its verdict is of that alone", () => {
    const words = experimentWords({ ...prices, isWhole: false }, emptyScorecard({ metrics: metricsOf("winning") }))
    assert.include(words, "\nVerdict of this metric alone: Winning")
  })

  it.each([
    ["winning", false],
    ["inconclusive", true]
  ] as const)("that is %s tells how long it takes on: %s", (verdict, isTold) => {
    const of = { minimumDetectableEffect: 0.1, unitsPerGroup: 900 }
    const power = {
      alpha: 0.05,
      power: 0.8,
      metrics: [9, 4].map((daysToGo) => ({ id: `m${daysToGo}`, daysToGo, ...of }))
    }
    const words = experimentWords(prices, emptyScorecard({ metrics: metricsOf(verdict), power }))
    assert.strictEqual(words.includes("At this pace the largest change seen so far takes about 4 days more"), isTold)
  })
})
