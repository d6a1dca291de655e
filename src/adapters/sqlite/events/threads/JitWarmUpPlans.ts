import { Brand } from "effect"
import { type Dimension, whole } from "../../../../domain/analytics/filter/Breakdown.ts"
import { type FilterCondition, unfiltered, type Filter } from "../../../../domain/analytics/filter/Filter.ts"
import type { FunnelPlan } from "../../../../domain/analytics/funnel/FunnelPlan.ts"
import type { HeatmapPlan } from "../../../../domain/analytics/heatmap/HeatmapPlan.ts"
import type { Measure } from "../../../../domain/analytics/insight/InsightPlan.ts"
import type { Question, QuestionOf } from "../../../../domain/analytics/question/Question.ts"
import type { Selector } from "../../../../domain/analytics/filter/Selector.ts"
import type { ExperimentGroupId, ExperimentId } from "../../../../domain/Ids.ts"
import { dayMillis } from "../../../../domain/Durations.ts"

const days = 20
/** The time range of the made-up markers (epoch ms). */
export const range = { from: 20_000 * dayMillis, to: (20_000 + days) * dayMillis }
const buckets = {
  step: "day",
  zone: "UTC",
  boundaries: Array.from({ length: days + 1 }, (_, at) => range.from + at * dayMillis)
} as const
export const types = ["a", "b", "c"] as const
/** The unit that questions about a single unit ask for. */
export const unitId = "u"

const select = (conditions: ReadonlyArray<FilterCondition>, ...chosen: ReadonlyArray<string>): Selector => ({
  types: [chosen[0] ?? types[0], ...chosen.slice(1)],
  filter: { match: "all", conditions }
})
const any = select([], ...types)
const conditions: ReadonlyArray<FilterCondition> = [
  { source: "argument", name: "whole", operator: "greaterThanOrEqual", operands: [20] },
  { source: "argument", name: "text", operator: "isIn", operands: ["t1", "t2", "t3"] }
]

const insight = (
  selector: Selector,
  measures: ReadonlyArray<Measure>,
  breakdowns: ReadonlyArray<Dimension> = [],
  filter: Filter = unfiltered,
  boundaries: ReadonlyArray<number> = buckets.boundaries
): QuestionOf<"insight"> => ({
  kind: "insight",
  plan: {
    range,
    buckets: { ...buckets, boundaries },
    metrics: measures.map((measure, at) => ({ id: String(at), selector, measure })),
    filter,
    breakdowns,
    breakdownLimit: 25,
    groups: null,
    cumulative: false
  }
})

const funnelPlan = (order: FunnelPlan["order"], ...steps: ReadonlyArray<string>): FunnelPlan => ({
  range,
  steps: steps.map((type) => ({ selector: select([], type), optional: false })),
  order,
  window: dayMillis,
  exclusions: [],
  holdConstant: [],
  filter: unfiltered,
  breakdowns: [],
  breakdownLimit: 25,
  attribution: { type: "first" },
  overTime: null
})
const funnel = (order: FunnelPlan["order"], ...steps: ReadonlyArray<string>): Question => ({
  kind: "funnel",
  plan: funnelPlan(order, ...steps)
})

const retention = (start: Selector, startMode: "firstTime" | "recurring"): QuestionOf<"retention"> => ({
  kind: "retention",
  plan: {
    start,
    return: any,
    filter: unfiltered,
    periods: buckets,
    firstRow: 0,
    rows: days,
    startMode,
    criterion: { type: "on", columns: days },
    window: "calendar",
    minimumOccurrences: 1,
    dateBy: "start",
    breakdowns: [],
    breakdownLimit: 25
  }
})

const values: ReadonlyArray<Measure> = [
  { type: "sum", argument: "part" },
  { type: "percentile", argument: "part", percentile: 50 }
]
const counts: ReadonlyArray<Measure> = [{ type: "totalEvents" }, { type: "uniqueUsers" }]
const text: Dimension = { source: "argument", name: "text" }
const bounds = { pointA: { x: 0, y: 0, z: 0 }, pointB: { x: 900, y: 40, z: 900 } }
const heatmap: HeatmapPlan = {
  range,
  selectors: [select(conditions.slice(0, 1))],
  filter: unfiltered,
  bounds,
  resolution: { x: 64, y: 64 }
}
const listing = { range, types: null, unitId: null, filter: unfiltered, limit: 100, after: null }

// Not the constructors of Ids.ts: they check with Schema, which each reader thread would have to load.
const experiment = Brand.nominal<ExperimentId>()
const group = Brand.nominal<ExperimentGroupId>()

const scorecard: Question = {
  kind: "scorecard",
  plan: {
    experimentId: experiment(1),
    unitType: "user",
    groupIds: [group(1), group(2)],
    range,
    multipleExposure: "exclude",
    metrics: [
      {
        type: "amounts",
        amounts: [{ selector: select([]), filter: unfiltered, argument: "part" }],
        atLeast: null,
        window: { from: 0, to: Infinity, countsAfter: -Infinity }
      },
      { type: "funnel", funnel: funnelPlan("ordered", "a", "b") }
    ],
    priorLength: 7 * dayMillis,
    asOf: range.to,
    phases: [range.from],
    days: buckets.boundaries.slice(0, -1)
  }
}

/** Cheap questions, each answered by code of its own. */
const ofOneUnitOrOfTheCatalogue: ReadonlyArray<Question> = [
  { kind: "unit", plan: { unitId } },
  { kind: "profile", plan: { unitId } },
  {
    kind: "revenue",
    plan: {
      argument: "part",
      purchase: { type: "a", argument: "whole" },
      units: [{ unitId, from: range.from, to: range.to }]
    }
  },
  { kind: "types", plan: { now: range.to } },
  { kind: "typeCounts", plan: { boundaries: [range.from, range.to] } },
  { kind: "versions", plan: { range } },
  { kind: "names", plan: { source: "argument", type: null } },
  { kind: "values", plan: { source: "argument", name: "text", type: null, search: null, limit: 20 } }
]

const page = { after: null, limit: 10 }
const everybody = { group: null, bin: null, ...page }

/** Who is behind a number of each kind of question. */
const behindNumbers: ReadonlyArray<Question> = [
  {
    kind: "funnelUnits",
    plan: { funnel: funnelPlan("ordered", "a", "b"), step: 1, outcome: "converted", ...everybody }
  },
  {
    kind: "funnelNext",
    plan: { units: { funnel: funnelPlan("ordered", "a", "b"), step: 1, outcome: "dropped", ...everybody }, types: 3 }
  },
  {
    kind: "insightUnits",
    plan: { insight: insight(select([]), values).plan, metric: 0, bucket: 3, group: whole, values: true, ...page }
  },
  {
    kind: "retentionUnits",
    plan: {
      retention: retention(select([], "b"), "recurring").plan,
      row: 1,
      column: 0,
      outcome: "returned",
      group: whole,
      ...page
    }
  },
  { kind: "heatmapUnits", plan: { heatmap, area: null, ...page } },
  { kind: "heatmapArguments", plan: { heatmap, area: null, names: 4, values: 4 } }
]

/**
 * Questions whose time goes into few loops over numbers, which V8 compiles after some ten of them only. None with a breakdown: codes of few and
 * of many values are arrays of other widths, and loops that have seen several are slower for ever.
 */
export const warmUpQuestionsOfLoops: ReadonlyArray<Question> = [{ kind: "heatmap", plan: heatmap }]

/** Questions of every kind, which together run every common scan. */
export const warmUpQuestions: ReadonlyArray<Question> = [
  insight(select([]), counts),
  insight(select([]), values),
  insight(select([]), values, [], unfiltered, [range.from, range.to]),
  insight(select(conditions), counts, [text]),
  insight(select([]), [{ type: "totalEvents" }], [text]),
  ...warmUpQuestionsOfLoops,
  insight(any, counts),
  funnel("ordered", "a", "b", "c"),
  funnel("unordered", "a", "b"),
  retention(any, "firstTime"),
  retention(select([], "b"), "firstTime"),
  retention(select([], "b"), "recurring"),
  { kind: "countedUnits", plan: { selector: select([], "b"), range, minimum: 3, maximum: null, limit: 0 } },
  {
    kind: "players",
    plan: {
      prefix: "",
      who: { op: "and", negate: false, children: [] },
      properties: [],
      sort: "lastSeen",
      direction: "descending",
      limit: 10,
      after: null
    }
  },
  { kind: "listing", plan: { ...listing, unitId } },
  { kind: "listing", plan: listing },
  ...behindNumbers,
  scorecard,
  ...ofOneUnitOrOfTheCatalogue
]
