import type { Dimension, Group } from "../filter/Breakdown.ts"
import type { Buckets, Range } from "../time/Buckets.ts"
import type { Filter } from "../filter/Filter.ts"
import type { Selector } from "../filter/Selector.ts"

export interface FunnelStep {
  readonly selector: Selector
  /** Never the first or the last step. */
  readonly optional: boolean
}

/** Ordered and strict: 0 <= fromStep < toStep <= steps - 1. Unordered: spans the whole funnel. */
export interface Exclusion {
  readonly selector: Selector
  readonly fromStep: number
  readonly toStep: number
}

export type Attribution =
  | { readonly type: "first" | "last" | "all" }
  | { readonly type: "step"; /** From 0. */ readonly step: number }

export interface FunnelPlan {
  readonly range: Range
  /** 2..32. */
  readonly steps: ReadonlyArray<FunnelStep>
  readonly order: "ordered" | "strict" | "unordered"
  /** Milliseconds from the first step, inclusive. */
  readonly window: number
  readonly exclusions: ReadonlyArray<Exclusion>
  /** Every marker of a conversion carries the same value of each of these. */
  readonly holdConstant: ReadonlyArray<Dimension>
  /** Holds for every marker the funnel sees. */
  readonly filter: Filter
  readonly breakdowns: ReadonlyArray<Dimension>
  readonly breakdownLimit: number
  readonly attribution: Attribution
  /** Conversion by the bucket of the first step's marker is wanted too. */
  readonly overTime: Buckets | null
}

/** Times to convert are from the step before on the unit's path; null when no unit stands at the step, and at the first. */
export interface FunnelStepAnswer {
  readonly count: number
  readonly averageSeconds: number | null
  readonly medianSeconds: number | null
}

export interface FunnelBucketAnswer {
  readonly entered: number
  readonly converted: number
}

export interface FunnelSeries {
  readonly group: Group
  readonly steps: ReadonlyArray<FunnelStepAnswer>
  /** Empty when not asked for. */
  readonly overTime: ReadonlyArray<FunnelBucketAnswer>
}

/** By the count of the first step, descending, ties by `compareGroups`; other last. One series without breakdowns, none for no unit with them. */
export interface FunnelAnswer {
  readonly series: ReadonlyArray<FunnelSeries>
}

/** Which units a number of a funnel counts. Breakdowns of the funnel are left aside. */
export interface FunnelUnitsPlan {
  readonly funnel: FunnelPlan
  readonly step: number
  /** dropped: stood at the step before and not at this one. */
  readonly outcome: "converted" | "dropped"
  /** Units in ascending order of id (by UTF-16 code units) after this one. */
  readonly after: string | null
  readonly limit: number
}

export interface FunnelUnit {
  readonly unitId: string
  /** Epoch milliseconds of each step on the unit's path, null where it did not stand. */
  readonly times: ReadonlyArray<number | null>
}
