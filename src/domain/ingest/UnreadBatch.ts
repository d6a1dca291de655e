import type { RetentionRule } from "../analytics/markers/RetentionRule.ts"
import { namesClick } from "../deeplinks/ClickName.ts"
import { type Batch, BatchReader, markersOf } from "./Batch.ts"
import type { IngestCounts } from "./IngestCounts.ts"
import { type IncomingMarker, keptFor } from "./Marker.ts"
import type { NamesByType } from "./NamesByType.ts"

/** What decides what becomes of the markers of a request, beside the markers themselves. */
export interface ReceiptTerms {
  /** When the request came, in epoch milliseconds. */
  readonly receivedAt: number
  readonly rule: RetentionRule
  /** The latest erasure of a unit in the environment, in epoch milliseconds: no marker after it was erased. `-Infinity` where nobody was erased. */
  readonly erasedUntil: number
}

/**
 * Is told what became of a body: `stored` once its batch is on disk, null where nothing of it is stored. In that case `left` is the body, which
 * the caller has to read, or null where the body was lost with the store.
 */
export type OnReceived = (stored: StoredBatch | null, left: Uint8Array<ArrayBuffer> | null) => void

/** The body of a request for markers, as it came. */
export interface UnreadBatch extends ReceiptTerms {
  /** JSON in UTF-8. */
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** What became of the markers of a body. */
export interface StoredBatch {
  readonly counts: IngestCounts
  /** The types of its kept markers, each once; none if all of these were duplicates. */
  readonly types: ReadonlyArray<string>
}

/** Whether more than the terms decides what becomes of a marker, or follows from it. */
const needsMore = (marker: IncomingMarker, names: NamesByType): boolean => !names.knows(marker) || namesClick(marker)

/**
 * The batch in the JSON of a request, if its terms and the names that the environment knows are enough to say what becomes of it. Null
 * where they are not: the JSON holds no list of markers, none of them is kept, a name is new, the time of a marker may have been erased for its
 * unit, or a marker names a click.
 */
export const plainBatch = (
  body: unknown,
  { receivedAt, rule, erasedUntil }: ReceiptTerms,
  names: NamesByType
): Batch | null => {
  const markers = markersOf(body)
  if (markers === null) return null
  const isErased = (_unitId: string, timestamp: number) => timestamp <= erasedUntil
  const batch = new BatchReader({ receivedAt, ...keptFor(rule), isErased })
  batch.read(markers)
  if (batch.kept.length === 0 || batch.rejected.some(({ code }) => code === "UNIT_ERASED")) return null
  return batch.kept.some((marker) => needsMore(marker, names)) ? null : batch
}
