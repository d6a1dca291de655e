import type { Range } from "../analytics/time/Buckets.ts"
import type { Reference, ValueCondition } from "../analytics/filter/Filter.ts"
import type { Selector } from "../analytics/filter/Selector.ts"
import type { CohortMeasure, CohortOperator } from "./CohortDefinition.ts"

/** Epoch milliseconds, or milliseconds after the unit's first marker of any type; the end is not included. */
export interface PlannedWindow extends Range {
  readonly since: "epoch" | "firstSeen"
}

/** Compares the latest value a unit's markers carry under the name; a missing value is the empty string. */
export interface PropertyCondition {
  readonly type: "property"
  readonly comparison: ValueCondition
}

/** Compares a measure over the selected markers in the window with [low] or, for between, [low, high]. */
export interface BehaviourCondition {
  readonly type: "behaviour"
  /** False: the units that do not satisfy the comparison. */
  readonly did: boolean
  readonly selector: Selector
  /** Count, sum and distinct UTC days are 0 without markers; average, min and max are then nothing, which no comparison accepts. */
  readonly measure: CohortMeasure
  /** Empty for count and distinctDays. */
  readonly argument: string
  readonly operator: CohortOperator
  readonly value: readonly [low: number, high: number]
  readonly window: PlannedWindow
}

/** The first selected marker of all lies in the window. */
export interface FirstTimeCondition {
  readonly type: "firstTime"
  readonly selector: Selector
  readonly window: PlannedWindow
}

/** A marker of `first` and later, by (timestamp, sequence), one of `next`, at most `within` milliseconds apart, both in the window. */
export interface SequenceCondition {
  readonly type: "sequence"
  readonly first: Selector
  readonly next: Selector
  readonly within: number
  readonly window: PlannedWindow
}

/** A selected marker lies in the window, and none at or after `quietFrom` (epoch milliseconds). */
export interface StoppedCondition {
  readonly type: "stopped"
  readonly selector: Selector
  readonly window: PlannedWindow
  readonly quietFrom: number
}

/** A selected marker lies in the window, and the one before it, of any time, at least `quietFor` milliseconds earlier. */
export interface RestartedCondition {
  readonly type: "restarted"
  readonly selector: Selector
  readonly window: PlannedWindow
  readonly quietFor: number
}

/** Members of cohorts as they are when the plan is evaluated, or units of an experiment. */
export interface ReferenceCondition {
  readonly type: "reference"
  readonly reference: Reference
}

export type PlannedCondition =
  | PropertyCondition
  | BehaviourCondition
  | FirstTimeCondition
  | SequenceCondition
  | StoppedCondition
  | RestartedCondition
  | ReferenceCondition

export interface CohortGroup {
  readonly op: "and" | "or"
  readonly negate: boolean
  readonly children: ReadonlyArray<CohortGroup | PlannedCondition>
}

/** Who belongs, among the units that have a marker. */
export type CohortPlan = CohortGroup
