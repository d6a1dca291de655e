import type { CellValues } from "./CellValues.ts"
import type { Grid, GroupedRows } from "./Grid.ts"

/** The rows that a metric counts, with the values that a measure has already gathered from them. */
export interface Population extends GroupedRows {
  /** By argument: the values gathered, and the grid they were gathered for. */
  readonly values: Map<string, { readonly grid: Grid; readonly values: CellValues }>
}
