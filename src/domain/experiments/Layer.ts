import type { Range } from "./Bucketing.ts"

/** An experiment's part of an exclusion layer. */
export interface LayerShare {
  readonly layer: string
  readonly slots: Range
}

/** The first free slots of the wanted size in a layer, null when no gap is wide enough. Sizes in basis points, 1..10000. */
export const freeSlots = (taken: ReadonlyArray<Range>, size: number): Range | null => {
  let start = 0
  for (const [from, to] of taken.toSorted((a, b) => a[0] - b[0])) {
    if (from - start >= size) break
    start = Math.max(start, to)
  }
  return start + size <= 10_000 ? [start, start + size] : null
}
