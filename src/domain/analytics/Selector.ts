import type { Filter } from "./Filter.ts"

/** Markers of any of `types` for which the filter holds. */
export interface Selector {
  readonly types: readonly [string, ...ReadonlyArray<string>]
  readonly filter: Filter
}
