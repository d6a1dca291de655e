import type { Range } from "../../analytics/time/Buckets.ts"
import type { Filter } from "../../analytics/filter/Filter.ts"
import type { FunnelPlan } from "../../analytics/funnel/FunnelPlan.ts"
import type { Selector } from "../../analytics/filter/Selector.ts"
import type { ExperimentGroupId, ExperimentId } from "../../Ids.ts"

/** Milliseconds after a unit's first exposure, [from, to). */
export interface Window {
  readonly from: number
  readonly to: number
  /** Units exposed less long ago are left out; -Infinity counts everyone with what they did so far. */
  readonly countsAfter: number
}

/** What markers add up to for a unit: their number, or the sum of an argument. Markers without a number add nothing. */
export interface Amount {
  readonly selector: Selector
  /** Holds for every marker besides. */
  readonly filter: Filter
  readonly argument: string | null
}

export interface AmountMetric {
  readonly type: "amounts"
  /** One amount, or numerator and denominator of a ratio. */
  readonly amounts: readonly [Amount] | readonly [numerator: Amount, denominator: Amount]
  /** When given, a unit counts 1 if its amount comes to this many markers, else 0. */
  readonly atLeast: number | null
  readonly window: Window
}

/** 1 for a unit that comes to the last step with markers at or after its first exposure. Its range, breakdowns and buckets are left aside. */
export interface FunnelMetric {
  readonly type: "funnel"
  readonly funnel: FunnelPlan
}

export type PlannedMetric = AmountMetric | FunnelMetric

export interface ScorecardPlan {
  readonly experimentId: ExperimentId
  /** Markers belong to their player, or to the server they come from. Exposures always name the unit itself. */
  readonly unitType: "user" | "server"
  /** By ordinal. */
  readonly groupIds: ReadonlyArray<ExperimentGroupId>
  /** Units count that were first exposed in here; markers from its end on count for nothing. */
  readonly range: Range
  /** What becomes of units exposed to several groups: they are left out, or belong to the group of their first exposure. */
  readonly multipleExposure: "exclude" | "first"
  readonly metrics: ReadonlyArray<PlannedMetric>
  /** Milliseconds before a unit's first exposure that tell what it was like. */
  readonly priorLength: number
  /** The present as windows see it, epoch milliseconds. */
  readonly asOf: number
  /** When phases begin, ascending; the first holds what came before it, too. */
  readonly phases: ReadonlyArray<number>
  /** When days begin, ascending; the first holds what came before it, too. */
  readonly days: ReadonlyArray<number>
}

/**
 * Sums over units, each with so many numbers: value and prior value; numerator, denominator and both before; or the value alone.
 * `products` are of each pair of them, (0, 0), (0, 1) … (1, 1) …. Moments of disjoint units may be added up.
 */
export interface Moments {
  readonly n: number
  /** Units with markers from before their first exposure. */
  readonly withPrior: number
  readonly sums: ReadonlyArray<number>
  readonly products: ReadonlyArray<number>
}

/** Units first exposed on one day; everything is by group ordinal. */
export interface ScorecardDay {
  /** Place in the plan's days. */
  readonly day: number
  readonly exposures: ReadonlyArray<number>
  /** metrics[m][g] belongs to plan.metrics[m] and plan.groupIds[g]. */
  readonly metrics: ReadonlyArray<ReadonlyArray<Moments>>
}

export interface ScorecardAnswer {
  /** Units in the range, those in several groups among them. */
  readonly exposedUnits: number
  readonly multiplyExposed: number
  /** Epoch milliseconds; null when no unit counts. */
  readonly firstExposedAt: number | null
  /** Units by phase of their first exposure, then by group ordinal. */
  readonly phases: ReadonlyArray<ReadonlyArray<number>>
  /** Days on which a unit was first exposed, ascending. */
  readonly days: ReadonlyArray<ScorecardDay>
}
