import type { Dimension, BreakdownGroup, GroupValues } from "../filter/Breakdown.ts"
import type { Buckets, TimeSpan } from "../time/Buckets.ts"
import type { Filter } from "../filter/Filter.ts"
import type { Selector } from "../filter/Selector.ts"

/**
 * What a metric computes from its markers; the median is percentile 50. `activeUsers` (dau, wau, mau) counts the
 * distinct units of spans[i] for bucket i, and of the last span, one more than there are buckets, for the aggregate.
 * Spans may begin before the plan's range; the span of an hour ends with its day, which may be after it (`activeSpans`).
 */
export type Measure =
  | {
      readonly type:
        | "totalEvents"
        | "uniqueUsers"
        | "totalSessions"
        | "frequencyPerUser"
        | "frequencyPerSession"
        | "firstTimeUsers"
    }
  | { readonly type: "activeUsers"; readonly days: 1 | 7 | 30; readonly spans: ReadonlyArray<TimeSpan> }
  | {
      readonly type: "sum" | "average" | "min" | "max" | "sumPerUser" | "averagePerUser"
      readonly argument: string
    }
  | { readonly type: "percentile"; readonly argument: string; /** 0..100 */ readonly percentile: number }

export interface Metric {
  readonly id: string
  readonly selector: Selector
  readonly measure: Measure
}

/** A marker counts if its timestamp lies in `range`, in the bucket that contains it; the buckets cover the range. */
export interface InsightPlan {
  readonly range: TimeSpan
  readonly buckets: Buckets
  /** At least one. Formulas are not among them: they are computed from the answer. */
  readonly metrics: ReadonlyArray<Metric>
  /** Applies to every metric, in addition to the metric's own filter. */
  readonly filter: Filter
  /** At most two. */
  readonly breakdowns: ReadonlyArray<Dimension>
  /** 1..100. */
  readonly breakdownLimit: number
  /**
   * If given, exactly these groups are answered, and all others as other, instead of the top groups; used for the
   * previous period of a comparison.
   */
  readonly groups: ReadonlyArray<GroupValues> | null
  /** If true, each bucket also includes everything before it: totals, uniques and averages so far. */
  readonly cumulative: boolean
}

/** Null where there is nothing to average or to take an extreme or percentile of. */
export interface Points {
  readonly values: ReadonlyArray<number | null>
  /** The measure over the whole range, computed by itself rather than from `values`. */
  readonly aggregate: number | null
}

/**
 * `groups` by the aggregate of the first metric, descending (null last), ties by `compareGroups`. Other comes last, and
 * only if there are more groups than the limit or the plan names the groups. metrics[m][g] belongs to plan.metrics[m]
 * and groups[g].
 */
export interface InsightAnswer {
  readonly groups: ReadonlyArray<BreakdownGroup>
  readonly metrics: ReadonlyArray<ReadonlyArray<Points>>
}
