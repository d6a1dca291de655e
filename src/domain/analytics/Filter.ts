import type { Scalar } from "./Event.ts"

export type Operator =
  | "is"
  | "isNot"
  | "contains"
  | "notContains"
  | "equal"
  | "notEqual"
  | "greaterThan"
  | "greaterThanOrEqual"
  | "lessThan"
  | "lessThanOrEqual"
  | "between"
  | "isSet"
  | "isNotSet"
  | "isIn"
  | "isNotIn"

/** A resolved cohort or set of experiment groups. Equal keys hold equal units, so a store may cache what it derives from one. */
export interface UnitSet {
  readonly key: string
  readonly units: ReadonlySet<string>
}

/** Compares one value of a marker. `operands` is empty for isSet and isNotSet, [low, high] for between, else one or more (any of). */
export interface ValueCondition {
  readonly source: "argument" | "property"
  readonly name: string
  readonly operator: Operator
  readonly operands: ReadonlyArray<Scalar>
}

/** Holds when the marker's unit is (or is not) a member. A marker without a unit is a member of nothing. */
export interface MembershipCondition {
  readonly source: "cohort" | "experiment"
  readonly members: UnitSet
  readonly isIn: boolean
}

export type Condition = ValueCondition | MembershipCondition

/** No condition at all holds for every marker, whatever `match` says. */
export interface Filter {
  readonly match: "all" | "any"
  readonly conditions: ReadonlyArray<Condition>
}

export const everything: Filter = { match: "all", conditions: [] }
