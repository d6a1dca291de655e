import type { Dimension, BreakdownGroup } from "../filter/Breakdown.ts"
import type { Buckets, TimeSpan } from "../time/Buckets.ts"
import type { Filter } from "../filter/Filter.ts"
import type { TimeToConvert, TimeToConvertPlan } from "./TimeToConvert.ts"
import type { Selector } from "../filter/Selector.ts"

export interface FunnelStep {
  readonly selector: Selector
  /** Never the first or the last step. */
  readonly optional: boolean
}

/**
 * Markers that discard attempts between two steps. Ordered and strict: 0 <= fromStep < toStep <= steps - 1; unordered:
 * the whole funnel.
 */
export interface Exclusion {
  readonly selector: Selector
  readonly fromStep: number
  readonly toStep: number
}

export type Attribution =
  | { readonly type: "first" | "last" | "all" }
  | { readonly type: "step"; /** From 0. */ readonly step: number }

export interface FunnelPlan {
  readonly range: TimeSpan
  /** 2 to 32 steps. */
  readonly steps: ReadonlyArray<FunnelStep>
  readonly order: "ordered" | "strict" | "unordered"
  /** Milliseconds from the first step within which the last must be reached, inclusive. */
  readonly window: number
  readonly exclusions: ReadonlyArray<Exclusion>
  /** All markers of a conversion must have the same value of each of these. */
  readonly holdConstant: ReadonlyArray<Dimension>
  /** Applies to every marker of the funnel. */
  readonly filter: Filter
  readonly breakdowns: ReadonlyArray<Dimension>
  readonly breakdownLimit: number
  readonly attribution: Attribution
  /** Buckets of the first step's time, if conversion over time is wanted; else null. */
  readonly overTime: Buckets | null
  /** Only if times to convert are wanted. */
  readonly timeToConvert?: TimeToConvertPlan
}

/**
 * Times to convert are measured from the previous step on the unit's path; null at the first step, and where no unit
 * stands.
 */
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
  readonly group: BreakdownGroup
  readonly steps: ReadonlyArray<FunnelStepAnswer>
  /** Empty unless the plan asks for it. */
  readonly overTime: ReadonlyArray<FunnelBucketAnswer>
  /** Only if the plan asks for it. */
  readonly timeToConvert?: TimeToConvert
}

/**
 * Series by the count of their first step, descending, ties by `compareGroups`; other comes last. Without breakdowns
 * exactly one; with them, none if no unit entered.
 */
export interface FunnelAnswer {
  readonly series: ReadonlyArray<FunnelSeries>
}

/** Which units behind a number of a funnel to list. */
export interface FunnelUnitsPlan {
  readonly funnel: FunnelPlan
  /** The series whose units are listed; null: all units, as if the funnel had no breakdowns. */
  readonly group: BreakdownGroup | null
  /** Lists only units whose time to convert is in this bin of the series, from 0; null: whatever their time. */
  readonly bin: number | null
  /** From 0; from 1 where those who dropped are listed. */
  readonly step: number
  /** `dropped`: reached the previous step but not this one. */
  readonly outcome: "converted" | "dropped"
  /** Lists units after this id, ascending by code points; null starts at the first. */
  readonly after: string | null
  readonly limit: number
}

export interface FunnelUnit {
  readonly unitId: string
  /** Epoch ms of each step on the unit's path; null for a step not on it. */
  readonly times: ReadonlyArray<number | null>
}
