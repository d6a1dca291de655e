import {
  type BreakdownGroup,
  type GroupValues,
  groupKey,
  groupOf,
  other,
  topGroups,
  whole
} from "../filter/Breakdown.ts"
import { type TimeSpan, bucketAt, countOf } from "../time/Buckets.ts"
import { type StoredEvent, byTime } from "../markers/Event.ts"
import { groupBy } from "../filter/Grouping.ts"
import type { InsightAnswer, InsightPlan, Measure, Metric, Points } from "./InsightPlan.ts"
import { measureOf } from "./Measure.ts"
import { selectorTest } from "../filter/Selector.ts"

type Events = ReadonlyArray<StoredEvent>

/** The markers in the range. */
export const within = (events: Events, { from, to }: TimeSpan): Events =>
  events.filter(({ timestamp }) => from <= timestamp && timestamp < to)

/** Each unit's earliest marker, ties by order of receipt. */
export const firstOfUnits = (events: Events): Events => {
  const first = new Map<string, StoredEvent>()
  for (const event of events) {
    if (event.unitId === null) continue
    const known = first.get(event.unitId)
    if (known === undefined || byTime(event, known) < 0) first.set(event.unitId, event)
  }
  return [...first.values()]
}

const hull = (spans: ReadonlyArray<TimeSpan>): TimeSpan => ({
  from: Math.min(...spans.map(({ from }) => from)),
  to: Math.max(...spans.map(({ to }) => to))
})

/** The markers that a metric counts in the plan's range, or in that of its spans. */
export const population = (events: Events, plan: InsightPlan, { selector, measure }: Metric): Events => {
  const selected = events.filter(selectorTest(selector, plan.filter))
  if (measure.type === "activeUsers") return within(selected, hull(measure.spans))
  return within(measure.type === "firstTimeUsers" ? firstOfUnits(selected) : selected, plan.range)
}

const activePoints = (measure: Measure, spans: ReadonlyArray<TimeSpan>, events: Events): Points => {
  const values = spans.map((span) => measureOf(measure, within(events, span)))
  return { values: values.slice(0, -1), aggregate: values[values.length - 1] ?? null }
}

const points = (plan: InsightPlan, measure: Measure, events: Events): Points => {
  if (measure.type === "activeUsers") return activePoints(measure, measure.spans, events)
  const buckets = Array.from({ length: countOf(plan.buckets) }, (): Array<StoredEvent> => [])
  for (const event of events) {
    const bucket = bucketAt(plan.buckets.boundaries, event.timestamp)
    for (let i = bucket; i < (plan.cumulative ? buckets.length : bucket + 1); i++) buckets[i]!.push(event)
  }
  return { values: buckets.map((bucket) => measureOf(measure, bucket)), aggregate: measureOf(measure, events) }
}

const aggregateOf = ({ measure }: Metric, events: Events): number | null =>
  measureOf(measure, measure.type === "activeUsers" ? within(events, measure.spans[measure.spans.length - 1]!) : events)

const rankedGroups = (
  plan: InsightPlan,
  byGroup: ReadonlyArray<ReadonlyMap<string, Events>>,
  valuesOf: ReadonlyMap<string, GroupValues>
): ReadonlyArray<GroupValues> => {
  const [metric] = plan.metrics
  if (metric === undefined) return []
  const scores = [...valuesOf].map(
    ([key, values]) => [values, aggregateOf(metric, byGroup[0]?.get(key) ?? [])] as const
  )
  return topGroups(scores, plan.breakdownLimit)
}

/** Answers an insight from the markers of one environment, in any order. */
export const insight = (events: Events, plan: InsightPlan): InsightAnswer => {
  const populations = plan.metrics.map((metric) => population(events, plan, metric))
  if (plan.breakdowns.length === 0) {
    return {
      groups: [whole],
      metrics: plan.metrics.map((metric, m) => [points(plan, metric.measure, populations[m]!)])
    }
  }
  const valuesOf = new Map<string, GroupValues>()
  const values = groupOf(plan.breakdowns)
  const byGroup = populations.map((own) =>
    groupBy(own, (event) => {
      const group = values(event)
      const key = groupKey(group)
      valuesOf.set(key, group)
      return key
    })
  )
  const shown = plan.groups ?? rankedGroups(plan, byGroup, valuesOf)
  const keys = new Set(shown.map(groupKey))
  const rest = [...valuesOf.keys()].filter((key) => !keys.has(key))
  const groups: Array<BreakdownGroup> = shown.map((group) => ({ values: group, isOther: false }))
  const hasOther = rest.length > 0 || plan.groups !== null
  if (hasOther) groups.push(other)
  return {
    groups,
    metrics: plan.metrics.map(({ measure }, m) => [
      ...shown.map((group) => points(plan, measure, byGroup[m]!.get(groupKey(group)) ?? [])),
      ...(hasOther
        ? [
            points(
              plan,
              measure,
              rest.flatMap((key) => byGroup[m]!.get(key) ?? [])
            )
          ]
        : [])
    ])
  }
}
