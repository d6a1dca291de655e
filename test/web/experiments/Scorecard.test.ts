import { assert, describe, it } from "@effect/vitest"
import { densityPath } from "../../../src/web/charts/Effect.tsx"
import type { Scorecard } from "../../../src/web/experiments/ExperimentQueries.ts"
import { experimentCodec } from "../../../src/web/experiments/ExperimentState.ts"
import { metricWords, unitMetricWords } from "../../../src/web/experiments/MetricWords.ts"
import { scaleEnd } from "../../../src/web/experiments/results/Methods.ts"
import { scorecardCsv } from "../../../src/web/experiments/results/ScorecardCsv.ts"
import { verdictOf } from "../../../src/web/experiments/results/Verdict.ts"
import { inSentence, mixedText, plainText, pText, verdictWord } from "../../../src/web/experiments/results/Words.ts"
import { collecting, comparisonOf, ended, experimentOf, few, losing, metricOf, scorecardOf } from "./Scorecards.ts"

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

  it("say what becomes of players who saw two groups", () => {
    assert.deepStrictEqual(
      [mixedText(0, "exclude"), mixedText(1, "exclude"), mixedText(20, "exclude"), mixedText(20, "first")],
      [
        "Nobody saw two groups",
        "1 player saw two groups and is left out",
        "20 players saw two groups and are left out",
        "20 players saw two groups and count for the first"
      ]
    )
    assert.deepStrictEqual(
      [0, 1, 20].map((units) => mixedText(units, "exclude", "game server")),
      [
        "No game server saw two groups",
        "1 game server saw two groups and is left out",
        "20 game servers saw two groups and are left out"
      ]
    )
  })

  it("speak of game servers where these are put into groups", () => {
    const experiment = experimentOf({ unitType: "server" })
    const said = (scorecard: Scorecard) =>
      plainText(verdictOf({ experiment, scorecard, isApplied: null, timezone: "UTC" }).sentence)
    assert.strictEqual(
      said(scorecardOf([collecting], few)),
      "Too early to tell: 62 of 100 game servers in the smallest group, 4 of 7 days."
    )
    const mixed = { multipleExposure: { units: 12_300, share: 0.12 } }
    assert.strictEqual(
      said(scorecardOf([metricOf(comparisonOf({ verdict: "unhealthy" }))], mixed)),
      "Do not trust this result: 12.0 % of the game servers have seen more than one group."
    )
  })

  it("count the players of a retention whose day is over, as the server does before it decides", () => {
    const early = metricOf(comparisonOf({ verdict: "collecting" }), {
      groups: [
        { groupId: 1, n: 61, mean: 0.2, variance: 0.16 },
        { groupId: 2, n: 12, mean: 0.25, variance: 0.19 }
      ]
    })
    const scorecard = scorecardOf([early])
    assert.strictEqual(
      plainText(verdictOf({ experiment: experimentOf(), scorecard, isApplied: null, timezone: "UTC" }).sentence),
      "Too early to tell: 12 of 100 players with their day over in the smallest group, 20 of 7 days."
    )
  })

  it("say what a metric measures, with its conditions and what it divides by", () => {
    const common = { id: "m", name: "M", direction: "increase", match: "all" } as const
    const dear = [{ source: "argument", name: "price", operator: "greaterThan", value: 5 }] as const
    const denominator = { marker: "Session", filters: [], match: "all", argument: "minutes" } as const
    const purchases = { ...common, marker: ["Purchase", "Refund"], filters: [] } as const
    const words = [
      { ...purchases, type: "proportion", filters: dear, withinDays: 1 },
      { ...purchases, type: "ratio", aggregation: "sum", argument: "price", denominator },
      { ...purchases, type: "ratio", aggregation: "count", argument: "price", denominator: purchases }
    ] as const
    assert.deepStrictEqual(words.map(metricWords), [
      "players with Purchase or Refund (1 condition) within 1 day; higher is better",
      "price of Purchase or Refund per minutes of Session; higher is better",
      "Purchase or Refund per Purchase or Refund; higher is better"
    ])
    assert.strictEqual(
      unitMetricWords("game server", { ...purchases, type: "mean", aggregation: "count" }),
      "Purchase or Refund per game server; higher is better"
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
    const counting = { prior: "normal", correction: "benjaminiHochberg", multipleExposure: "first" } as const
    const state = { tab: "setup", method: "fixed", ...counting, open: ["day7", "a&b"], who: 2 } as const
    assert.deepStrictEqual(experimentCodec.read(experimentCodec.write(state)), state)
    assert.strictEqual(experimentCodec.write(experimentCodec.read(new URLSearchParams("who=x&method=y"))).size, 0)
  })
})
