import type { StoredEvent } from "../markers/Event.ts"
import { type Filter, filterTest } from "./Filter.ts"

/** Markers of any of `types` for which the filter holds. */
export interface Selector {
  readonly types: readonly [string, ...ReadonlyArray<string>]
  readonly filter: Filter
}

/** The selector, and a filter of the whole question, as a test of markers. */
export const selectorTest = (selector: Selector, filter: Filter): ((event: StoredEvent) => boolean) => {
  const types = new Set(selector.types)
  const own = filterTest(selector.filter)
  const common = filterTest(filter)
  return (event) => types.has(event.type) && own(event) && common(event)
}
