import type { Dimension, Group, GroupValues } from "../filter/Breakdown.ts"
import type { Buckets, Range } from "../time/Buckets.ts"
import type { Filter } from "../filter/Filter.ts"
import type { Selector } from "../filter/Selector.ts"

/**
 * What a metric counts among its markers. The median is the percentile 50.
 * `activeUsers` answers dau, wau and mau: the distinct units of spans[i] for bucket i, of the last span (one more than
 * buckets) for the aggregate; spans may begin before the plan's range and never end after it.
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
  | { readonly type: "activeUsers"; readonly days: 1 | 7 | 30; readonly spans: ReadonlyArray<Range> }
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

/** Only markers inside `range` count, in the bucket their timestamp falls in; the buckets cover the range. */
export interface InsightPlan {
  readonly range: Range
  readonly buckets: Buckets
  /** Formulas are no metrics: they are computed from the answer. At least one. */
  readonly metrics: ReadonlyArray<Metric>
  /** Holds for every metric, beside its own filter. */
  readonly filter: Filter
  /** At most two. */
  readonly breakdowns: ReadonlyArray<Dimension>
  /** 1..100. */
  readonly breakdownLimit: number
  /** Answer exactly these groups and, always, the rest as other, instead of ranking; for the previous period of a comparison. */
  readonly groups: ReadonlyArray<GroupValues> | null
  /** Bucket i then holds everything from the start of the range to its own end: uniques so far, average so far. */
  readonly cumulative: boolean
}

/** Null: nothing to take an average, extreme or percentile of. */
export interface Points {
  readonly values: ReadonlyArray<number | null>
  /** The measure over the whole range, never derived from `values`. */
  readonly aggregate: number | null
}

/**
 * `groups` by the aggregate of the first metric, descending (null last), ties by `compareGroups`; other is last and there only when
 * more groups than the limit exist or groups were given. metrics[m][g] belongs to plan.metrics[m] and groups[g].
 */
export interface InsightAnswer {
  readonly groups: ReadonlyArray<Group>
  readonly metrics: ReadonlyArray<ReadonlyArray<Points>>
}
