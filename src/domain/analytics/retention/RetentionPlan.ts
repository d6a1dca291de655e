import type { Dimension, BreakdownGroup } from "../filter/Breakdown.ts"
import type { Buckets, TimeSpan } from "../time/Buckets.ts"
import type { Filter } from "../filter/Filter.ts"
import type { Selector } from "../filter/Selector.ts"

/** Brackets must be contiguous, inclusive on both ends, and start at 1. */
export type Criterion =
  | {
      readonly type: "on" | "onOrBefore" | "onOrAfter"
      /** The columns are the intervals 1 to `columns`. */ readonly columns: number
    }
  | { readonly type: "brackets"; readonly brackets: ReadonlyArray<readonly [from: number, to: number]> }

export interface RetentionPlan {
  readonly start: Selector
  readonly return: Selector
  /** Applies to starts and returns. */
  readonly filter: Filter
  /**
   * The calendar periods that starts and returns may fall in: `firstRow` periods before the first row, the rows, then
   * the periods after them.
   */
  readonly periods: Buckets
  readonly firstRow: number
  readonly rows: number
  /** Where the range of the question cuts the last row: the instants in which starts count. Returns count in whole periods. */
  readonly startsIn?: TimeSpan | undefined
  readonly startMode: "recurring" | "firstTime"
  readonly criterion: Criterion
  /** rolling24h counts intervals of 24 hours (a week: 7, a month: 30 of them) from each start. */
  readonly window: "calendar" | "rolling24h"
  /** The number of returns, at least 1, that an interval needs to count. It does not apply to the start. */
  readonly minimumOccurrences: number
  /**
   * With `return`, a cell is shown in the row of the return, as a share of the cohort it came from. Only with `on` and
   * `calendar`.
   */
  readonly dateBy: "start" | "return"
  readonly breakdowns: ReadonlyArray<Dimension>
  readonly breakdownLimit: number
}

export interface RetentionCell {
  readonly count: number
  /** The size of the cohort that `count` is a part of. */
  readonly of: number
}

export interface RetentionRow {
  readonly size: number
  /** One cell for each column or bracket. */
  readonly cells: ReadonlyArray<RetentionCell>
}

export interface RetentionSeries {
  readonly group: BreakdownGroup
  readonly rows: ReadonlyArray<RetentionRow>
}

/**
 * Series by the sum of their row sizes, descending, ties by `compareGroups`; other comes last. Without breakdowns
 * exactly one.
 */
export interface RetentionAnswer {
  readonly series: ReadonlyArray<RetentionSeries>
}
