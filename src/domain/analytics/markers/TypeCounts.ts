import { groupBy } from "../filter/Grouping.ts"
import { bucketAt } from "../time/Buckets.ts"
import type { StoredEvent } from "./Event.ts"

/** Counts the markers of each type between instants. */
export interface TypeCountsPlan {
  /** Epoch ms, strictly ascending, at least two: count i is of [boundaries[i], boundaries[i + 1]). */
  readonly boundaries: ReadonlyArray<number>
}

/** One more boundary than counts. */
export interface TypeCounts {
  readonly name: string
  readonly counts: ReadonlyArray<number>
}

/** The counts of the types that have markers there, by name (UTF-16 code units). */
export const typeCounts = (
  events: ReadonlyArray<StoredEvent>,
  { boundaries }: TypeCountsPlan
): ReadonlyArray<TypeCounts> => {
  const width = boundaries.length - 1
  const within = events.filter(({ timestamp }) => {
    const at = bucketAt(boundaries, timestamp)
    return at >= 0 && at < width
  })
  return [...groupBy(within, ({ type }) => type)]
    .map(([name, own]) => {
      const counts = Array.from({ length: width }, () => 0)
      for (const { timestamp } of own) counts[bucketAt(boundaries, timestamp)]!++
      return { name, counts }
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}
