import type { Question } from "../../src/domain/analytics/question/Question.ts"
import type { Dimension } from "../../src/domain/analytics/filter/Breakdown.ts"
import type { Buckets, TimeSpan } from "../../src/domain/analytics/time/Buckets.ts"
import { type FilterCondition, unfiltered, type Filter } from "../../src/domain/analytics/filter/Filter.ts"
import type { FunnelPlan } from "../../src/domain/analytics/funnel/FunnelPlan.ts"
import type { Measure } from "../../src/domain/analytics/insight/InsightPlan.ts"
import type { RetentionPlan } from "../../src/domain/analytics/retention/RetentionPlan.ts"
import type { Selector } from "../../src/domain/analytics/filter/Selector.ts"
import { day, days, firstDay, types } from "./Generate.ts"

const last = firstDay + days * day

export const range = (length: number): TimeSpan => ({ from: last - length * day, to: last })

const daily = ({ from, to }: TimeSpan): Buckets => ({
  step: "day",
  zone: "UTC",
  boundaries: Array.from({ length: (to - from) / day + 1 }, (_, at) => from + at * day)
})

export const one = (type: number, filter: Filter = unfiltered): Selector => ({ types: [types[type]!], filter })

export const any: Selector = { types: [types[0]!, ...types.slice(1)], filter: unfiltered }

export const where = (...conditions: ReadonlyArray<FilterCondition>): Filter => ({ match: "all", conditions })

export const level = { source: "argument", name: "level", operator: "greaterThanOrEqual", operands: [20] } as const

export const mode = {
  source: "argument",
  name: "mode",
  operator: "isIn",
  operands: ["normal", "easy", "hard"]
} as const

export const insight = (
  length: number,
  selector: Selector,
  measures: ReadonlyArray<Measure>,
  breakdowns: ReadonlyArray<Dimension> = [],
  limit = 25,
  span = range(length)
): Question => ({
  kind: "insight",
  plan: {
    range: span,
    buckets: daily(span),
    metrics: measures.map((measure, at) => ({ id: `M${at}`, selector, measure })),
    filter: unfiltered,
    breakdowns,
    breakdownLimit: limit,
    groups: null,
    cumulative: false
  }
})

export const funnel = (length: number, window: number, steps: ReadonlyArray<Selector>): FunnelPlan => ({
  range: range(length),
  steps: steps.map((selector) => ({ selector, optional: false })),
  order: "ordered",
  window,
  exclusions: [],
  holdConstant: [],
  filter: unfiltered,
  breakdowns: [],
  breakdownLimit: 25,
  attribution: { type: "first" },
  overTime: null
})

export const retention = (
  start: Selector,
  back: Selector,
  startMode: RetentionPlan["startMode"],
  rows: number,
  columns: number
): Question => ({
  kind: "retention",
  plan: {
    start,
    return: back,
    filter: unfiltered,
    periods: daily({ from: last - rows * day, to: last + columns * day }),
    firstRow: 0,
    rows,
    startMode,
    criterion: { type: "on", columns },
    window: "calendar",
    minimumOccurrences: 1,
    dateBy: "start",
    breakdowns: [],
    breakdownLimit: 25
  }
})

export const t = (type: number): string => `'${types[type]!}'`

export const since = (length: number): string => `ts >= ${last - length * day} and ts < ${last}`

/** `by` is the dimension of a breakdown, which each player's first marker of the funnel decides. */
export const funnelSql = (length: number, window: number, steps: ReadonlyArray<number>, by?: string): string => {
  const names = [...new Set(steps)].map(t).join(", ")
  const parts = [
    `e0 as (select unit, ts, type, case when type = ${t(steps[0]!)} then ts end as t0 from events where environment = 1 and ${since(length)} and type in (${names}))`
  ]
  for (let step = 1; step < steps.length; step++)
    parts.push(
      `e${step} as (select unit, ts, type, ${Array.from({ length: step }, (_, k) => `t${k}`).join(", ")}, case when type = ${t(steps[step]!)} and ts - m <= ${window} then m end as t${step}
        from (select *, max(t${step - 1}) over (partition by unit order by ts range between unbounded preceding and current row) as m from e${step - 1}))`
    )
  const counts = steps.map((_, step) => `count(distinct case when t${step} is not null then unit end)`).join(", ")
  const last = `e${steps.length - 1}`
  if (by === undefined) return `with ${parts.join(",\n")} select ${counts} from ${last}`
  const groups = `groups as (select unit, arg_min(${by}, ts) as value from events where environment = 1 and ${since(length)} and type in (${names}) and ${by} is not null group by unit)`
  return `with ${parts.join(",\n")}, ${groups} select value, ${counts} from ${last} join groups using (unit) group by value`
}

export const steps = (answer: { series: ReadonlyArray<{ steps: ReadonlyArray<{ count: number }> }> }) =>
  answer.series[0]!.steps.map(({ count }) => count)
