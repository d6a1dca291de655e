import type { BodyOf } from "../api/Endpoints.ts"
import type { FilterState } from "../builder/Filters.ts"

/** Who belongs to a cohort, as the API takes it. */
export type Definition = BodyOf<"cohorts.execute">["definition"]
export type DefinitionNode = Definition["children"][number]

export const spanUnits = ["minute", "hour", "day", "week", "month"] as const
export type SpanUnit = (typeof spanUnits)[number]

/** A length of time as it is typed. */
export interface RuleSpan {
  readonly amount: string
  readonly unit: SpanUnit
}

/** The time that a condition looks at, as it is typed. */
export type RuleWindow =
  | { readonly kind: "last"; readonly span: RuleSpan }
  /** Days of the project's zone, `2026-10-01`, both within it. */
  | { readonly kind: "dates"; readonly from: string; readonly to: string }
  /** Whole days since the player was first seen, counted from 0. */
  | { readonly kind: "firstSeen"; readonly from: string; readonly to: string }

/** Markers of any of these names that pass the filters. */
export interface Marked {
  readonly names: ReadonlyArray<string>
  readonly filters: ReadonlyArray<FilterState>
  readonly match: "all" | "any"
}

export const kinds = [
  { value: "did", label: "did", help: "so often, so much, or on so many days" },
  { value: "didNot", label: "did not do", help: "players seen who never did, or not so often" },
  { value: "firstTime", label: "did for the first time", help: "never before that time" },
  { value: "sequence", label: "did one thing and then another", help: "in this order, within a time" },
  { value: "stopped", label: "stopped doing", help: "did it, but not lately" },
  { value: "restarted", label: "went back to doing", help: "did it again after a pause" },
  { value: "property", label: "have the property", help: "its latest value" },
  { value: "cohort", label: "are in the cohort", help: "or are not" },
  { value: "experiment", label: "take part in the experiment", help: "or in one of its groups" }
] as const

export type Kind = (typeof kinds)[number]["value"]

export const measures = [
  { value: "count", label: "times" },
  { value: "distinctDays", label: "different days" },
  { value: "sum", label: "in sum of" },
  { value: "average", label: "on average of" },
  { value: "min", label: "as lowest of" },
  { value: "max", label: "as highest of" }
] as const

export type RuleMeasure = (typeof measures)[number]["value"]

export const needsArgument = (measure: RuleMeasure): boolean => measure !== "count" && measure !== "distinctDays"

export const comparisons = [
  { value: "greaterThanOrEqual", label: "at least" },
  { value: "lessThanOrEqual", label: "at most" },
  { value: "equal", label: "exactly" },
  { value: "greaterThan", label: "more than" },
  { value: "lessThan", label: "less than" },
  { value: "notEqual", label: "other than" },
  { value: "between", label: "between" }
] as const

export type ComparisonName = (typeof comparisons)[number]["value"]

/** One condition as it is edited. Fields of other kinds stay as they were, so that a change of mind loses nothing. */
export interface RuleCondition {
  readonly type: "condition"
  readonly key: number
  readonly kind: Kind
  readonly marked: Marked
  /** The second marker of a sequence. */
  readonly next: Marked
  readonly measure: RuleMeasure
  readonly argument: string
  readonly comparison: ComparisonName
  readonly value: string
  /** The higher end of `between`. */
  readonly high: string
  readonly window: RuleWindow
  /** The pause of who stopped or went back, or the time within which a sequence ends. */
  readonly span: RuleSpan
  readonly property: FilterState
  readonly isIn: boolean
  /** Of the cohort or experiment; null until one is chosen. */
  readonly referred: number | null
  readonly groupId: number | null
}

/** A condition that these pages cannot edit. It is kept as it is. */
export interface Foreign {
  readonly type: "foreign"
  readonly key: number
  readonly node: DefinitionNode
}

export interface ConditionGroup {
  readonly type: "group"
  readonly key: number
  readonly op: "and" | "or"
  readonly negate: boolean
  readonly children: ReadonlyArray<Rule>
}

export type Rule = ConditionGroup | RuleCondition | Foreign

// A draft that is kept has the keys of an earlier visit. Those of this one begin with its time, so that none comes twice.
let keys = Date.now()

/** Tells the parts of a definition apart while they are moved and removed. */
export const freshKey = (): number => ++keys

export const noMarker: Marked = { names: [], filters: [], match: "all" }

export const freshCondition = (marker = ""): RuleCondition => ({
  type: "condition",
  key: freshKey(),
  kind: "did",
  marked: { ...noMarker, names: marker === "" ? [] : [marker] },
  next: noMarker,
  measure: "count",
  argument: "",
  comparison: "greaterThanOrEqual",
  value: "1",
  high: "",
  window: { kind: "last", span: { amount: "7", unit: "day" } },
  span: { amount: "7", unit: "day" },
  property: { source: "property", name: "", operator: "is", values: [] },
  isIn: true,
  referred: null,
  groupId: null
})

export const freshGroup = (children: ReadonlyArray<Rule>, op: ConditionGroup["op"] = "and"): ConditionGroup => ({
  type: "group",
  key: freshKey(),
  op,
  negate: false,
  children
})

/** Groups nest at most this deep, the outermost counted. */
export const deepest = 5
/** A definition has at most this many conditions. */
export const mostConditions = 50

export const conditionsIn = (rule: Rule): number =>
  rule.type === "group" ? rule.children.reduce((count, child) => count + conditionsIn(child), 0) : 1

/** The rule with one of its parts replaced, or without it where `part` is null. A group that is empty goes too. */
export const replaced = (group: ConditionGroup, key: number, part: Rule | null): ConditionGroup => ({
  ...group,
  children: group.children.flatMap((child): ReadonlyArray<Rule> => {
    if (child.key === key) return part === null ? [] : [part]
    if (child.type !== "group") return [child]
    const inner = replaced(child, key, part)
    return inner.children.length === 0 ? [] : [inner]
  })
})
