import type { StoredEvent } from "../markers/Event.ts"
import { type Filter, filterTest } from "./Filter.ts"

/** Selects markers of any of `types` that pass the filter. */
export interface Selector {
  readonly types: readonly [string, ...ReadonlyArray<string>]
  readonly filter: Filter
}

/** A selector combined with the filter of the whole question, as a test of markers. */
export const selectorTest = (selector: Selector, filter: Filter): ((event: StoredEvent) => boolean) => {
  const types = new Set(selector.types)
  const own = filterTest(selector.filter)
  const common = filterTest(filter)
  return (event) => types.has(event.type) && own(event) && common(event)
}
