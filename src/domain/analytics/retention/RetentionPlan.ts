import type { Dimension, Group } from "../filter/Breakdown.ts"
import type { Buckets } from "../time/Buckets.ts"
import type { Filter } from "../filter/Filter.ts"
import type { Selector } from "../filter/Selector.ts"

/** Brackets are contiguous, inclusive, and the first starts at 1. */
export type Criterion =
  | {
      readonly type: "on" | "onOrBefore" | "onOrAfter"
      /** Columns are the intervals 1..columns. */ readonly columns: number
    }
  | { readonly type: "brackets"; readonly brackets: ReadonlyArray<readonly [from: number, to: number]> }

export interface RetentionPlan {
  readonly start: Selector
  readonly return: Selector
  /** Holds for every start and every return. */
  readonly filter: Filter
  /** The calendar periods that starts and returns may fall in: `firstRow` of them before the first row, then the rows, then the rest. */
  readonly periods: Buckets
  readonly firstRow: number
  readonly rows: number
  readonly startMode: "recurring" | "firstTime"
  readonly criterion: Criterion
  /** rolling24h counts intervals of 24 hours (week 7, month 30 of them) from each start. */
  readonly window: "calendar" | "rolling24h"
  /** Returns an interval needs to qualify; at least 1. Never applies to the start. */
  readonly minimumOccurrences: number
  /** return: a cell stands in the row of the return, as a share of the cohort it came from. Only with `on` and `calendar`. */
  readonly dateBy: "start" | "return"
  readonly breakdowns: ReadonlyArray<Dimension>
  readonly breakdownLimit: number
}

export interface RetentionCell {
  readonly count: number
  /** Size of the cohort that `count` is a part of. */
  readonly of: number
}

export interface RetentionRow {
  readonly size: number
  /** One for each column or bracket. */
  readonly cells: ReadonlyArray<RetentionCell>
}

export interface RetentionSeries {
  readonly group: Group
  readonly rows: ReadonlyArray<RetentionRow>
}

/** By the sum of row sizes, descending, ties by `compareGroups`; other last. One series without breakdowns. */
export interface RetentionAnswer {
  readonly series: ReadonlyArray<RetentionSeries>
}
