import { assert, describe, it } from "@effect/vitest"
import { densityPath } from "../../src/web/charts/Effect.tsx"
import type { Comparison, MetricResult, Scorecard } from "../../src/web/experiments/ExperimentQueries.ts"
import type { Experiment } from "../../src/web/experiments/ExperimentWords.ts"
import { experimentCodec } from "../../src/web/experiments/ExperimentState.ts"
import { scaleEnd } from "../../src/web/experiments/results/Methods.ts"
import { scorecardCsv } from "../../src/web/experiments/results/ScorecardCsv.ts"
import { verdictOf } from "../../src/web/experiments/results/Verdict.ts"
import { degradedWords } from "../../src/web/experiments/results/Warnings.tsx"
import { inSentence, plainText, pText, verdictWord } from "../../src/web/experiments/results/Words.ts"

const control = { id: 1, ordinal: 0, name: "gate_30", label: "Gate at level 30", weight: 5000, isControl: true }
const treated = { id: 2, ordinal: 1, name: "gate_40", label: "Gate at level 40", weight: 5000, isControl: false }

const experimentOf = (changes: Partial<Experiment> = {}): Experiment => ({
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
  ...changes
})

const comparisonOf = (changes: Partial<Comparison> = {}): Comparison => ({
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

const metricOf = (comparison: Comparison, changes: Partial<MetricResult> = {}): MetricResult => ({
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

const fair = { observed: [44_700, 45_489], expected: [45_094.5, 45_094.5], chiSquare: 0.2, pValue: 0.6 }

const scorecardOf = (metrics: ReadonlyArray<MetricResult>, changes: Partial<Scorecard> = {}): Scorecard => ({
  experimentId: 1,
  status: "active",
  asOf: "2026-11-21T12:00:00.000Z",
  schedule: { startsAt: "2026-11-01T00:00:00.000Z", endsAt: null, daysElapsed: 20.5, daysLeft: null },
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

const said = (experiment: Experiment, scorecard: Scorecard, isApplied: boolean | null = null) => {
  const { sentence, details, standing, outcome } = verdictOf({ experiment, scorecard, isApplied, timezone: "UTC" })
  return { sentence: plainText(sentence), details: details.map(plainText), standing, outcome }
}

const ended = experimentOf({ status: "completed", endsAt: "2026-11-21T00:00:00.000Z" })
const losing = metricOf(comparisonOf({ verdict: "losing" }))
const safely = { pValue: 0.004, interval: [0.01, 0.2], absoluteInterval: null } as const
const raised = { absolute: 0.03, relative: 0.16, sequential: safely, verdict: "winning" } as const
const collecting = metricOf(comparisonOf({ verdict: "collecting" }))
const few = {
  exposures: [
    { groupId: 1, units: 62 },
    { groupId: 2, units: 70 }
  ],
  schedule: { startsAt: "2026-11-01T00:00:00.000Z", endsAt: null, daysElapsed: 4.2, daysLeft: null }
} as const

describe("the verdict on an experiment", () => {
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
      scorecardOf([losing], { multipleExposure: { units: 12_300, share: 0.12 } }),
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

describe("the scorecard's words and shapes", () => {
  it("are short and exact", () => {
    assert.deepStrictEqual([0.00001, 0.001556, 0.0086, 0.034, 0.5, 1, null].map(pText), [
      "< 0.0001",
      "0.0016",
      "0.0086",
      "0.034",
      "0.50",
      "1.00",
      "–"
    ])
    assert.deepStrictEqual(["Buyers", "ARPU", "D1 retention"].map(inSentence), ["buyers", "ARPU", "d1 retention"])
    assert.deepStrictEqual(
      [verdictWord("inconclusive", false), verdictWord("inconclusive", true)],
      ["Not clear yet", "Not clear"]
    )
  })

  it("stand on one scale that holds every interval, with room", () => {
    assert.deepStrictEqual(
      [
        scaleEnd([]),
        scaleEnd([null, [-0.07, 0.03]]),
        scaleEnd([[-0.1, 0.2]]),
        scaleEnd([
          [-5, 9],
          [0, 1]
        ])
      ],
      [0.01, 0.1, 0.25, 2]
    )
  })

  it("draw a density that is symmetric about its middle and wider than its bar", () => {
    const points = densityPath([-1, 1], (value) => value)
      .replaceAll(/[MZ]/g, "")
      .split("L")
      .map((point) => point.split(" ").map(Number))
    const xs = points.map(([x = 0]) => x)
    assert.approximately(Math.max(...xs) + Math.min(...xs), 0, 0.01)
    assert.isAbove(Math.max(...xs), 1)
    const highest = points.find(([, y = 20]) => y === Math.min(...points.map(([, each = 20]) => each)))
    assert.approximately(highest?.[0] ?? 1, 0, 0.05)
  })

  it("are exported a row a metric and group", () => {
    const rows = scorecardCsv(ended, scorecardOf([losing]))
      .trim()
      .split("\r\n")
    assert.strictEqual(rows.length, 2)
    assert.match(rows[1] ?? "", /^Seven-day retention,goal,higher,Gate at level 40,45489,0\.182,0\.190201,/)
    assert.match(rows[1] ?? "", /losing$/)
  })

  it("are in the address", () => {
    const state = { tab: "setup", method: "fixed", open: ["day7", "a&b"], who: 2 } as const
    assert.deepStrictEqual(experimentCodec.read(experimentCodec.write(state)), state)
    assert.strictEqual(experimentCodec.write(experimentCodec.read(new URLSearchParams("who=x&method=y"))).size, 0)
  })
})
