import type { TimeSpan } from "../analytics/time/Buckets.ts"
import type { Reference, ValueCondition } from "../analytics/filter/Filter.ts"
import type { Selector } from "../analytics/filter/Selector.ts"
import type { CohortMeasure, CohortOperator } from "./CohortDefinition.ts"

/** Epoch ms, or ms after the unit's first marker of any type; the end is exclusive. */
export interface PlannedWindow extends TimeSpan {
  readonly since: "epoch" | "firstSeen"
}

/** Compares the latest value of a property; a missing value is the empty string. */
export interface PropertyCondition {
  readonly type: "property"
  readonly comparison: ValueCondition
}

/** Compares a measure of the selected markers in the window with [low], or for between with [low, high]. */
export interface BehaviourCondition {
  readonly type: "behaviour"
  /** False selects the units that do not satisfy the comparison. */
  readonly did: boolean
  readonly selector: Selector
  /**
   * Without markers, count, sum and distinctDays are 0; average, min and max are nothing, which no comparison accepts.
   */
  readonly measure: CohortMeasure
  /** Empty for count and distinctDays. */
  readonly argument: string
  /** The IANA zone whose days distinctDays counts. */
  readonly zone: string
  readonly operator: CohortOperator
  readonly value: readonly [low: number, high: number]
  readonly window: PlannedWindow
}

/** The unit's very first selected marker lies in the window. */
export interface FirstTimeCondition {
  readonly type: "firstTime"
  readonly selector: Selector
  readonly window: PlannedWindow
}

/**
 * The unit has a marker of `first`, and another one of `next` in the same millisecond or at most `within` ms later, both
 * in the window.
 */
export interface SequenceCondition {
  readonly type: "sequence"
  readonly first: Selector
  readonly next: Selector
  readonly within: number
  readonly window: PlannedWindow
}

/** The unit has a selected marker in the window, and none at or after `quietFrom` (epoch ms). */
export interface StoppedCondition {
  readonly type: "stopped"
  readonly selector: Selector
  readonly window: PlannedWindow
  readonly quietFrom: number
}

/** The unit has a selected marker in the window whose previous one, at any time, is at least `quietFor` ms older. */
export interface RestartedCondition {
  readonly type: "restarted"
  readonly selector: Selector
  readonly window: PlannedWindow
  readonly quietFor: number
}

/** The unit is (or is not) a member of cohorts when the plan is evaluated, or in an experiment. */
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

/** Which units belong, among those that have a marker. */
export type CohortPlan = CohortGroup
