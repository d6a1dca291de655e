import type { FilterRequest } from "../analytics/filter/FilterRequest.ts"
import type { Scalar } from "../analytics/markers/Event.ts"
import type { Operator } from "../analytics/filter/Filter.ts"
import type { CohortId, ExperimentGroupId, ExperimentId } from "../Ids.ts"

export type DurationUnit = "minute" | "hour" | "day" | "week" | "month"

/** A length of absolute time; a month has 30 days. */
export interface Duration {
  readonly value: number
  readonly unit: DurationUnit
}

interface Instant {
  readonly epochMillis: number
}

/**
 * A time window: the last so many units, between two instants, or between two days since the unit's first marker (whole
 * days, counted from 0).
 */
export type CohortWindow =
  | { readonly last: number; readonly unit: DurationUnit }
  | { readonly from: Instant; readonly to: Instant }
  | { readonly sinceFirstSeen: readonly [firstDay: number, lastDay: number] }

/** Selects markers of one name, or of any of several, that pass the filters. */
export interface CohortMarker {
  readonly marker: string | ReadonlyArray<string>
  readonly filters: ReadonlyArray<FilterRequest>
  readonly match: "all" | "any"
}

export type CohortMeasure = "count" | "sum" | "average" | "min" | "max" | "distinctDays"

export type CohortOperator =
  | "equal"
  | "notEqual"
  | "greaterThan"
  | "greaterThanOrEqual"
  | "lessThan"
  | "lessThanOrEqual"
  | "between"

export type CohortCondition =
  | {
      readonly type: "property"
      readonly name: string
      readonly operator: Operator
      readonly value?: Scalar | ReadonlyArray<Scalar> | undefined
    }
  | ({
      readonly type: "behaviour"
      readonly did: boolean
      readonly measure: CohortMeasure
      readonly argument?: string | undefined
      readonly operator: CohortOperator
      readonly value: number | readonly [low: number, high: number]
      readonly window: CohortWindow
    } & CohortMarker)
  | ({ readonly type: "firstTime"; readonly window: CohortWindow } & CohortMarker)
  | {
      readonly type: "sequence"
      readonly first: CohortMarker
      readonly next: CohortMarker
      readonly within: Duration
      readonly window: CohortWindow
    }
  | ({ readonly type: "stopped"; readonly window: CohortWindow; readonly quietFor: Duration } & CohortMarker)
  | ({ readonly type: "restarted"; readonly window: CohortWindow; readonly quietFor: Duration } & CohortMarker)
  | { readonly type: "cohort"; readonly cohortId: CohortId; readonly in: boolean }
  | {
      readonly type: "experiment"
      readonly experimentId: ExperimentId
      readonly groupId?: ExperimentGroupId | undefined
      readonly in: boolean
    }

/** Which units belong: conditions and groups of conditions, joined by `op`, and inverted as a whole by `negate`. */
export interface CohortDefinition {
  readonly op: "and" | "or"
  readonly negate: boolean
  readonly children: ReadonlyArray<CohortDefinition | CohortCondition>
}
