import type { TimeSpan } from "../../analytics/time/Buckets.ts"
import type { Filter } from "../../analytics/filter/Filter.ts"
import type { FunnelPlan } from "../../analytics/funnel/FunnelPlan.ts"
import type { Selector } from "../../analytics/filter/Selector.ts"
import type { ExperimentGroupId, ExperimentId } from "../../Ids.ts"

/** [from, to) in ms after a unit's first exposure. */
export interface ExposureWindow {
  readonly from: number
  readonly to: number
  /** Units exposed less than this many ms ago are left out. -Infinity includes all units with what they did so far. */
  readonly countsAfter: number
}

/**
 * A unit's amount: the number of its markers, or the sum of an argument of them. Markers without a number add nothing.
 */
export interface Amount {
  readonly selector: Selector
  /** Applies in addition to the selector's own filter. */
  readonly filter: Filter
  readonly argument: string | null
}

export interface AmountMetric {
  readonly type: "amounts"
  /** One amount, or the numerator and denominator of a ratio. */
  readonly amounts: readonly [Amount] | readonly [numerator: Amount, denominator: Amount]
  /** If given, a unit counts 1 if its amount is at least this, else 0. */
  readonly atLeast: number | null
  readonly window: ExposureWindow
  /** If given, of the window's intervals of so many ms, from its start on, the one with the largest amount counts instead of all of it. */
  readonly interval?: number | undefined
}

/**
 * Counts 1 for a unit that reaches the last step with markers from its first exposure on. The funnel's range,
 * breakdowns and buckets are ignored.
 */
export interface FunnelMetric {
  readonly type: "funnel"
  readonly funnel: FunnelPlan
}

export type PlannedMetric = AmountMetric | FunnelMetric

export interface ScorecardPlan {
  readonly experimentId: ExperimentId
  /** Whether markers belong to their player or to the server that sent them. Exposures always name the unit itself. */
  readonly unitType: "user" | "server"
  /** By ordinal. */
  readonly groupIds: ReadonlyArray<ExperimentGroupId>
  /**
   * If given, nobody looks at exposures: a unit counts, in the first group, from its first marker in the range that passes. Players only.
   */
  readonly entry?: Filter | undefined
  /** Units first exposed in this range count, with their markers up to its end. */
  readonly range: TimeSpan
  /** Whether units exposed to several groups are left out, or belong to the group of their first exposure. */
  readonly multipleExposure: "exclude" | "first"
  readonly metrics: ReadonlyArray<PlannedMetric>
  /** The length in ms of the period before a unit's first exposure that CUPED uses. */
  readonly priorLength: number
  /** The time (epoch ms) as of which windows are complete or not. */
  readonly asOf: number
  /** The starts of the phases, ascending; the first phase also holds everything before it. */
  readonly phases: ReadonlyArray<number>
  /** The starts of the days, ascending; the first day also holds everything before it. */
  readonly days: ReadonlyArray<number>
}

/**
 * Sums over units. A unit has one number (the value), two (value, prior value) or four (numerator, denominator and both
 * before the exposure). `products` are the sums of each pair's products: (0, 0), (0, 1) ... (1, 1) .... Moments of
 * disjoint units can be added.
 */
export interface Moments {
  readonly n: number
  /** The number of units with markers from before their first exposure. */
  readonly withPrior: number
  readonly sums: ReadonlyArray<number>
  readonly products: ReadonlyArray<number>
  /**
   * By number of a unit: it is counted in multiples of 2 to the power of this. Only where a number is so large that its statistics might
   * pass the range of a double.
   */
  readonly exponents?: ReadonlyArray<number>
}

/** The units first exposed on one day; everything by group ordinal. */
export interface ScorecardDay {
  /** Index in the plan's days. */
  readonly day: number
  readonly exposures: ReadonlyArray<number>
  /** metrics[m][g] belongs to plan.metrics[m] and plan.groupIds[g]. */
  readonly metrics: ReadonlyArray<ReadonlyArray<Moments>>
}

export interface ScorecardAnswer {
  /** All units exposed in the range, including those in several groups. */
  readonly exposedUnits: number
  readonly multiplyExposed: number
  /** Epoch ms; null when no unit counts. */
  readonly firstExposedAt: number | null
  /** Numbers of units by phase of their first exposure, then by group ordinal. */
  readonly phases: ReadonlyArray<ReadonlyArray<number>>
  /** The days on which a unit was first exposed, ascending. */
  readonly days: ReadonlyArray<ScorecardDay>
}
