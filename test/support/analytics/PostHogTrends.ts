import { Either } from "effect"
import type { WeekStart } from "../../../src/domain/Calendar.ts"
import { activeSpans } from "../../../src/domain/analytics/insight/ActiveUsers.ts"
import type { StoredEvent } from "../../../src/domain/analytics/markers/Event.ts"
import type { InsightPlan, Measure, Metric } from "../../../src/domain/analytics/insight/InsightPlan.ts"
import { type TimeRange, resolve } from "../../../src/domain/analytics/time/TimeRange.ts"
import {
  type Case,
  type Entity,
  type Mapped,
  type Where,
  dimensionsOf,
  filterOf,
  markersOf,
  rangeOf,
  selectorOf,
  unreadKey
} from "./PostHog.ts"

interface TrendQuery {
  readonly series: ReadonlyArray<Entity & { readonly math: string; readonly mathProperty?: string }>
  readonly interval: string
  readonly range: { readonly from: string; readonly to: string }
  readonly timezone: string
  readonly weekStartsOn: string
  readonly where?: Where
  readonly breakdown?: { readonly type: string; readonly key: string }
}

export interface TrendSeries {
  readonly aggregate?: number
  readonly sumOfBuckets?: number
  readonly buckets?: ReadonlyArray<string>
  readonly data?: ReadonlyArray<number>
  readonly dataAt?: Readonly<Record<string, number>>
  readonly bucketAt?: Readonly<Record<string, string>>
  readonly breakdownValue?: string | number | null
}

export type TrendCase = Case<TrendQuery, { readonly series: Readonly<Record<string, TrendSeries>> }> & {
  readonly tolerance?: number
}

export interface MappedTrend {
  readonly events: ReadonlyArray<StoredEvent>
  readonly plan: InsightPlan
  readonly time: TimeRange
}

const keys = ["kind", "series", "interval", "range", "timezone", "weekStartsOn", "where", "breakdown", "display"]

export const stepOf = (interval: string) =>
  interval === "hour" || interval === "day" || interval === "week" || interval === "month" ? interval : null

export const weekStartOf = (day: string | undefined): WeekStart => (day === "monday" ? 1 : 0)

const measureOf = (math: string, argument: string | undefined, time: TimeRange): Mapped<Measure> => {
  const percentile = /^p(\d+)$/.exec(math)
  if (argument !== undefined) {
    if (math === "sum" || math === "min" || math === "max") return Either.right({ type: math, argument })
    if (math === "avg" || math === "average") return Either.right({ type: "average", argument })
    if (math === "median") return Either.right({ type: "percentile", argument, percentile: 50 })
    if (percentile !== null) return Either.right({ type: "percentile", argument, percentile: Number(percentile[1]) })
  }
  if (math === "total") return Either.right({ type: "totalEvents" })
  if (math === "uniqueActors") return Either.right({ type: "uniqueUsers" })
  if (math === "weeklyActive") return Either.right({ type: "activeUsers", days: 7, spans: activeSpans(time, 7) })
  if (math === "monthlyActive") return Either.right({ type: "activeUsers", days: 30, spans: activeSpans(time, 30) })
  return Either.left(`the measure ${math}`)
}

export const mapTrend = (trend: TrendCase): Mapped<MappedTrend> =>
  Either.gen(function* () {
    const { query } = trend
    const unread = unreadKey(query, keys)
    if (unread !== undefined) return yield* Either.left(`the option ${unread}`)
    const step = stepOf(query.interval)
    if (step === null) return yield* Either.left(`the interval ${query.interval}`)
    const events = markersOf(trend)
    const span = rangeOf(query.range)
    const time = yield* Either.mapLeft(
      resolve({ step, zone: query.timezone, weekStart: weekStartOf(query.weekStartsOn), span }, 0, 10_000),
      ({ _tag }) => _tag
    )
    const metrics: Array<Metric> = []
    for (const [index, entity] of query.series.entries()) {
      const measure = yield* measureOf(entity.math, entity.mathProperty, time)
      metrics.push({ id: String(index), selector: yield* selectorOf(entity, events), measure })
    }
    const { breakdown } = query
    const unreadBreakdown = unreadKey(breakdown ?? {}, ["type", "key"])
    if (unreadBreakdown !== undefined) return yield* Either.left(`a breakdown with ${unreadBreakdown}`)
    const plan = {
      range: time.range,
      buckets: time.buckets,
      metrics,
      filter: yield* filterOf(query.where, events),
      breakdowns: breakdown === undefined ? [] : yield* dimensionsOf(breakdown.type, [breakdown.key]),
      breakdownLimit: 25,
      groups: null,
      cumulative: false
    }
    return { events, plan, time }
  })
