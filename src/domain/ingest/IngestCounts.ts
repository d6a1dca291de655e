import type { Batch } from "./Batch.ts"
import type { Rejection } from "./Rejection.ts"

/** What became of markers. The counts are disjoint and add up to the number sent. */
export interface IngestCounts {
  readonly ingestedMarkersCount: number
  readonly rejectedMarkersCount: number
  readonly duplicateMarkersCount: number
  readonly staleMarkersCount: number
  readonly rejectedMarkers: ReadonlyArray<Rejection>
}

/** The counts of an empty batch. */
export const nothingSent: IngestCounts = {
  ingestedMarkersCount: 0,
  rejectedMarkersCount: 0,
  duplicateMarkersCount: 0,
  staleMarkersCount: 0,
  rejectedMarkers: []
}

/** The counts of a batch of which the store found so many kept markers to be duplicates. */
export const tally = ({ kept, rejected, stale }: Batch, duplicates: number): IngestCounts => ({
  ingestedMarkersCount: kept.length - duplicates,
  rejectedMarkersCount: rejected.length,
  duplicateMarkersCount: duplicates,
  staleMarkersCount: stale,
  rejectedMarkers: rejected
})

/** The number of markers sent. */
export const totalOf = (counts: IngestCounts): number =>
  counts.ingestedMarkersCount + counts.rejectedMarkersCount + counts.duplicateMarkersCount + counts.staleMarkersCount

/** The number of rejections that the summary of an import names; further ones are only counted. */
const namedRejections = 1000

/** The counts of two parts of an import together; indexes count from its first marker. */
export const followedBy = (before: IngestCounts, part: IngestCounts): IngestCounts => {
  const offset = totalOf(before)
  const room = namedRejections - before.rejectedMarkers.length
  const rejectedMarkers = [...before.rejectedMarkers]
  for (const rejection of part.rejectedMarkers.slice(0, room)) {
    rejectedMarkers.push({ ...rejection, index: rejection.index + offset })
  }
  return {
    ingestedMarkersCount: before.ingestedMarkersCount + part.ingestedMarkersCount,
    rejectedMarkersCount: before.rejectedMarkersCount + part.rejectedMarkersCount,
    duplicateMarkersCount: before.duplicateMarkersCount + part.duplicateMarkersCount,
    staleMarkersCount: before.staleMarkersCount + part.staleMarkersCount,
    rejectedMarkers
  }
}
