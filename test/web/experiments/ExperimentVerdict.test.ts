import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest"
import type { Scorecard } from "../../../src/web/experiments/ExperimentQueries.ts"
import type { Experiment } from "../../../src/web/experiments/ExperimentWords.ts"
import { verdictOf } from "../../../src/web/experiments/results/Verdict.ts"
import { degradedWords } from "../../../src/web/experiments/results/Warnings.tsx"
import { plainText } from "../../../src/web/experiments/results/Words.ts"
import {
  experimentOf,
  comparisonOf,
  metricOf,
  fair,
  scorecardOf,
  ended,
  losing,
  raised,
  collecting,
  few
} from "./Scorecards.ts"

const said = (experiment: Experiment, scorecard: Scorecard, isApplied: boolean | null = null) => {
  const { sentence, details, standing, outcome } = verdictOf({ experiment, scorecard, isApplied, timezone: "UTC" })
  return { sentence: plainText(sentence), details: details.map(plainText), standing, outcome }
}

describe("the verdict on an experiment", () => {
  // Days of the present year are told without it.
  beforeAll(() => void vi.setSystemTime("2026-06-01"))
  afterAll(() => void vi.useRealTimers())

  const cases: ReadonlyArray<
    readonly [name: string, standing: string, sentence: string, Experiment, Scorecard, isApplied: boolean | null]
  > = [
    [
      "lost at its planned end, by the p-value of the fixed horizon",
      "decided",
      "Gate at level 40 lowers seven-day retention: 18.2 % instead of 19.0 % (p = 0.0016).",
      ended,
      scorecardOf([losing]),
      null
    ],
    [
      "wins while it runs, by the p-value that is safe at any time",
      "decided",
      "Gate at level 40 raises seven-day retention: 18.2 % instead of 19.0 % (p = 0.0040).",
      experimentOf(),
      scorecardOf([metricOf(comparisonOf(raised))]),
      null
    ],
    [
      "wins where less is better",
      "decided",
      "Gate at level 40 lowers deaths per player, which is better: 3.12 instead of 3.4 (p = 0.083).",
      experimentOf(),
      scorecardOf([
        metricOf(comparisonOf({ absolute: -0.28, verdict: "winning" }), {
          name: "Deaths per player",
          type: "mean",
          direction: "decrease",
          groups: [
            { groupId: 1, n: 900, mean: 3.4, variance: 2 },
            { groupId: 2, n: 900, mean: 3.12, variance: 2 }
          ]
        })
      ]),
      null
    ],
    [
      "is not decided",
      "open",
      "No winner yet: 90,189 players in 20 days show no clear difference.",
      experimentOf(),
      scorecardOf([metricOf(comparisonOf())]),
      null
    ],
    [
      "found nothing by its planned end",
      "open",
      "No difference was found: 90,189 players in 20 days show none that is clear.",
      ended,
      scorecardOf([metricOf(comparisonOf())]),
      null
    ],
    [
      "was ended before anything was clear",
      "open",
      "It ended without a clear result: 90,189 players in 20 days show no clear difference.",
      experimentOf({ status: "terminated", terminatedAt: "2026-11-20T00:00:00.000Z" }),
      scorecardOf([metricOf(comparisonOf())]),
      null
    ],
    [
      "collects",
      "collecting",
      "Too early to tell: 62 of 100 players in the smallest group, 4 of 7 days.",
      experimentOf(),
      scorecardOf([collecting], few),
      null
    ],
    [
      "was ended while it collected",
      "collecting",
      "It ended too early to tell: 62 of 100 players in the smallest group, 4 of 7 days.",
      experimentOf({ status: "terminated", terminatedAt: "2026-11-05T00:00:00.000Z" }),
      scorecardOf([collecting], few),
      null
    ],
    [
      "has a broken split",
      "unhealthy",
      "Do not trust this result: Gate at level 40 has 2,170 players where the split promises 1,855 (p < 0.0001).",
      experimentOf(),
      scorecardOf([metricOf(comparisonOf({ verdict: "unhealthy" }))], {
        srm: {
          observed: [1539, 2170],
          expected: [1854.5, 1854.5],
          chiSquare: 107,
          pValue: 1e-24,
          verdict: "unhealthy",
          phases: []
        }
      }),
      null
    ],
    [
      "has players in two groups",
      "unhealthy",
      "Do not trust this result: 12.0 % of the players have seen more than one group.",
      experimentOf(),
      scorecardOf([metricOf(comparisonOf({ verdict: "unhealthy" }))], {
        multipleExposure: { units: 12_300, share: 0.12 }
      }),
      null
    ],
    [
      "has players in two groups, but too few of any for the server to judge that",
      "collecting",
      "Too early to tell: 62 of 100 players in the smallest group, 4 of 7 days.",
      experimentOf(),
      scorecardOf([collecting], { ...few, multipleExposure: { units: 20, share: 0.13 } }),
      null
    ],
    [
      "has not started",
      "scheduled",
      "It starts on Sun 1 Nov; nobody is in it yet.",
      experimentOf({ status: "scheduled" }),
      scorecardOf([collecting]),
      null
    ],
    [
      "measures nothing",
      "unmeasured",
      "Nothing is measured: the experiment has no metric.",
      experimentOf(),
      scorecardOf([]),
      null
    ],
    [
      "has a metric that cannot be asked",
      "unmeasured",
      "Nothing can be measured: the saved questions that its metrics ask cannot be asked any more.",
      experimentOf(),
      scorecardOf([metricOf(comparisonOf(), { comparisons: [] })]),
      null
    ],
    [
      "has a winner that every player has",
      "decided",
      "Gate at level 40 was chosen, and every player has it: its changes are part of the base.",
      experimentOf({ status: "terminated", terminatedAt: "2026-11-20T00:00:00.000Z", winnerGroupId: 2 }),
      scorecardOf([metricOf(comparisonOf(raised))]),
      true
    ],
    [
      "has a winner whose changes were not kept",
      "decided",
      "Gate at level 40 was chosen, but its changes are not part of the base: players have the base as it was.",
      experimentOf({ status: "terminated", terminatedAt: "2026-11-20T00:00:00.000Z", winnerGroupId: 2 }),
      scorecardOf([metricOf(comparisonOf(raised))]),
      false
    ],
    [
      "chose what there was",
      "decided",
      "Gate at level 30 was chosen: the game stays as it is.",
      experimentOf({ status: "terminated", terminatedAt: "2026-11-20T00:00:00.000Z", winnerGroupId: 1 }),
      scorecardOf([losing]),
      null
    ]
  ]

  it.each(cases)("of one that %s", (_, standing, sentence, experiment, scorecard, isApplied) => {
    const verdict = said(experiment, scorecard, isApplied)
    assert.deepStrictEqual([verdict.standing, verdict.sentence], [standing, sentence])
  })

  it("names goals before guardrails, and a guardrail that gets worse after a But", () => {
    const guardrail = metricOf(comparisonOf({ verdict: "losing" }), { id: "g", name: "Logins", role: "guardrail" })
    const { sentence, details, outcome } = said(
      experimentOf(),
      scorecardOf([guardrail, metricOf(comparisonOf(raised))])
    )
    assert.isNull(outcome)
    assert.match(sentence, /^Gate at level 40 raises seven-day retention/)
    assert.match(details[0] ?? "", /^But Gate at level 40 lowers logins/)
  })

  it("says what leans, that waiting is safe, and how long it takes", () => {
    const scorecard = scorecardOf([metricOf(comparisonOf())], {
      power: {
        alpha: 0.05,
        power: 0.8,
        metrics: [{ id: "day7", minimumDetectableEffect: 0.05, unitsPerGroup: 60_000, daysToGo: 9 }]
      }
    })
    assert.deepStrictEqual(said(experimentOf({ endsAt: "2026-11-25T00:00:00.000Z" }), scorecard).details, [
      "The strongest sign: Gate at level 40 lowers seven-day retention by 4.3 % (< 1 % chance to be better than Gate at level 30), but the interval that is safe to look at any day still holds no change.",
      "Waiting until the planned end on Wed 25 Nov is safe: looking early does not spoil this result. At this pace the largest change seen so far takes about 9 more days to be found."
    ])
    const even = comparisonOf({ bayesian: { ...comparisonOf().bayesian, chanceToWin: 0.5 } })
    assert.strictEqual(
      said(experimentOf(), scorecardOf([metricOf(even)])).details[0],
      "No metric leans to either side."
    )
  })

  it("says how it ended, why, and that the split is off", () => {
    const experiment = experimentOf({
      status: "terminated",
      terminatedAt: "2026-11-20T00:00:00.000Z",
      terminationReason: "clear enough"
    })
    const srm = { ...fair, pValue: 0.0086, verdict: "warning" as const, phases: [] }
    assert.deepStrictEqual(said(experiment, scorecardOf([losing], { srm })).details, [
      "Somebody ended it on Fri 20 Nov, and no group was chosen: “clear enough”.",
      "The split is off (p = 0.0086): find out why before you rely on this."
    ])
    assert.deepStrictEqual(said(ended, scorecardOf([losing])).details, ["It ended on Sat 21 Nov, as planned."])
  })

  it("names the paths that the base has lost", () => {
    const missingPaths = [{ groupId: 2, path: ["gate", "level"] }]
    assert.strictEqual(
      plainText(degradedWords(experimentOf({ degraded: true, missingPaths }))),
      "The base no longer has what the experiment changes: gate.level (Gate at level 40). Players of the group do not get it; bring the path back, or end the experiment."
    )
    assert.match(plainText(degradedWords(experimentOf({ degraded: true }))), /is gone/)
  })
})
