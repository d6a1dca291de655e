import type { Scalar } from "./Event.ts"

/** The group of each unit: an experiment's groups, or membership of a cohort. Equal keys hold equal groups. */
export interface UnitGroups {
  readonly key: string
  readonly groups: ReadonlyMap<string, Scalar>
  /** The value of every unit that `groups` does not name, and of markers without a unit. */
  readonly otherwise: Scalar | null
}

/** What a marker is grouped by. */
export type Dimension =
  | { readonly source: "argument" | "property"; readonly name: string }
  | { readonly source: "cohort" | "experiment"; readonly name: string; readonly groups: UnitGroups }

/** One value for each dimension. A missing value and the empty string are null; a list is its JSON text. */
export type GroupValues = ReadonlyArray<Scalar | null>

export interface Group {
  readonly values: GroupValues
  /** The groups past the limit, merged; `values` is then empty. */
  readonly isOther: boolean
}

/** The only group of a question without dimensions. */
export const whole: Group = { values: [], isOther: false }

export const other: Group = { values: [], isOther: true }
