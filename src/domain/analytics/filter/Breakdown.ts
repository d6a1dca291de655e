import type { CohortId, ExperimentId } from "../../Ids.ts"
import { type Scalar, type StoredEvent, valueNamed } from "../markers/Event.ts"
import { groupValue } from "./Value.ts"

/** Groups of units: those of an experiment, or membership of a cohort. Equal keys mean equal groups. */
export interface UnitGroups {
  readonly key: string
  readonly groups: ReadonlyMap<string, Scalar>
  /** The value of every unit that `groups` does not name, and of markers without a unit. */
  readonly otherwise: Scalar | null
}

/**
 * A grouping that only a store can resolve: "in" and "not in" a cohort, or the ids of an experiment's groups (null for
 * units in none).
 */
export type ReferenceDimension =
  | { readonly source: "cohort"; readonly name: string; readonly cohortId: CohortId }
  | { readonly source: "experiment"; readonly name: string; readonly experimentId: ExperimentId }

/** What markers are grouped by. */
export type Dimension =
  | { readonly source: "argument" | "property"; readonly name: string }
  | ReferenceDimension
  | { readonly source: "cohort" | "experiment"; readonly name: string; readonly groups: UnitGroups }

/** One value for each dimension. A missing value and the empty string are both null; a list is its JSON text. */
export type GroupValues = ReadonlyArray<Scalar | null>

export interface BreakdownGroup {
  readonly values: GroupValues
  /** True for the group that merges all groups past the limit; its `values` are empty. */
  readonly isOther: boolean
}

/** The only group of a question without dimensions. */
export const whole: BreakdownGroup = { values: [], isOther: false }

/** The group that merges all groups past the limit. */
export const other: BreakdownGroup = { values: [], isOther: true }

const dimensionValue = (dimension: Dimension): ((event: StoredEvent) => Scalar | null) => {
  const { name } = dimension
  if ("groups" in dimension) {
    const { groups, otherwise } = dimension.groups
    return ({ unitId }) => (unitId === null ? otherwise : (groups.get(unitId) ?? otherwise))
  }
  if (dimension.source === "cohort" || dimension.source === "experiment") return () => null
  return dimension.source === "argument"
    ? (event) => groupValue(valueNamed(event.arguments, name))
    : (event) => groupValue(valueNamed(event.properties, name))
}

/** Returns a function that finds a marker's group. An unresolved reference gives null. */
export const groupOf = (dimensions: ReadonlyArray<Dimension>): ((event: StoredEvent) => GroupValues) => {
  const values = dimensions.map(dimensionValue)
  return (event) => values.map((value) => value(event))
}

/** A key that differs whenever groups differ: the number 1 and the text "1" are two groups. */
export const groupKey = (values: GroupValues): string => JSON.stringify(values)

const rank = (value: Scalar | null): number =>
  typeof value === "number" ? 0 : typeof value === "string" ? 1 : typeof value === "boolean" ? 2 : 3

const compareValues = (a: Scalar | null, b: Scalar | null): number => {
  if (rank(a) !== rank(b)) return rank(a) - rank(b)
  if (a === b || a === null || b === null) return 0
  return a < b ? -1 : 1
}

/**
 * The order of groups with equal scores: numbers, strings (by UTF-16 code units), false, true, null; the first
 * dimension counts first.
 */
export const compareGroups = (a: GroupValues, b: GroupValues): number => {
  for (let i = 0; i < a.length; i++) {
    const order = compareValues(a[i]!, b[i]!)
    if (order !== 0) return order
  }
  return 0
}

/**
 * The `limit` groups that are shown, by score descending (null last), then by `compareGroups`. All others are merged.
 */
export const topGroups = (
  scores: ReadonlyArray<readonly [values: GroupValues, score: number | null]>,
  limit: number
): ReadonlyArray<GroupValues> =>
  scores
    .toSorted(([a, scoreA], [b, scoreB]) => (scoreB ?? -Infinity) - (scoreA ?? -Infinity) || compareGroups(a, b))
    .slice(0, limit)
    .map(([values]) => values)
