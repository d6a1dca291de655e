import { unfiltered } from "../../../../../src/domain/analytics/filter/Filter.ts"
import type { HeatmapPlan } from "../../../../../src/domain/analytics/heatmap/HeatmapPlan.ts"
import type {
  AmountMetric,
  PlannedMetric,
  ScorecardPlan
} from "../../../../../src/domain/experiments/results/ScorecardPlan.ts"
import { day, origin, range } from "./Insights.ts"
import { funnels } from "./Journeys.ts"
import { all, common, experimentId, groupIds, inCohort, of, where } from "./Selectors.ts"

const amount = (argument: string | null, filter = unfiltered) => ({ selector: common, filter, argument })
const always = { from: 0, to: Infinity, countsAfter: -Infinity }
const amounts = (changes: Partial<AmountMetric>): AmountMetric => ({
  type: "amounts",
  amounts: [amount("level")],
  atLeast: null,
  window: always,
  ...changes
})

const metrics: ReadonlyArray<PlannedMetric> = [
  amounts({}),
  amounts({ amounts: [amount("share"), amount(null)] }),
  amounts({ amounts: [amount(null, all(where("won", "is", ["true"])))], atLeast: 2 }),
  amounts({ window: { from: 0, to: 2 * day, countsAfter: 2 * day } }),
  { type: "funnel", funnel: funnels["ordered"]! }
]

const scorecard = (changes: Partial<ScorecardPlan>): ScorecardPlan => ({
  experimentId,
  unitType: "user",
  groupIds,
  range,
  multipleExposure: "first",
  metrics,
  priorLength: 2 * day,
  asOf: origin + 9 * day,
  phases: [range.from, origin + 2 * day],
  days: Array.from({ length: 8 }, (_, at) => origin + at * day),
  ...changes
})

export const scorecards: Readonly<Record<string, ScorecardPlan>> = {
  "of players": scorecard({}),
  "without those in several groups": scorecard({ multipleExposure: "exclude" }),
  "of servers": scorecard({ unitType: "server" })
}

const box = { pointA: { x: -2, y: -1, z: -2 }, pointB: { x: 6, y: 5, z: 6 } }

const heatmap = (changes: Partial<HeatmapPlan>): HeatmapPlan => ({
  range,
  selectors: [common],
  filter: unfiltered,
  bounds: box,
  resolution: { x: 4, y: 3 },
  ...changes
})

export const heatmaps: Readonly<Record<string, HeatmapPlan>> = {
  "of a box": heatmap({}),
  "of everything": heatmap({
    bounds: { pointA: { x: -100, y: -100, z: -100 }, pointB: { x: 100, y: 100, z: 100 } },
    resolution: { x: 8, y: 8 }
  }),
  "of members that won": heatmap({ filter: all(inCohort(true), where("won", "is", ["true"])) }),
  "of two selectors": heatmap({ selectors: [of("a"), of("Level Start"), of("a", all(where("level", "equal", [3])))] })
}
