import type { ValuesByCell } from "./CellValues.ts"
import type { Grid, MeasuredRows } from "./Grid.ts"

/** The rows that a metric counts, with the argument values that measures have gathered from them so far. */
export interface Population extends MeasuredRows {
  /** By argument: the gathered values, and the grid for which they were gathered. */
  readonly values: Map<string, { readonly grid: Grid; readonly values: ValuesByCell }>
}
