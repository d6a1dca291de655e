import type { Batch, MarkerPlace } from "./Batch.ts"
import type { IncomingMarker } from "./Marker.ts"
import type { Rejection } from "./Rejection.ts"

/** What became of markers. The counts are disjoint and add up to the number sent. */
export interface IngestCounts {
  readonly ingestedMarkersCount: number
  readonly rejectedMarkersCount: number
  readonly duplicateMarkersCount: number
  readonly staleMarkersCount: number
  readonly rejectedMarkers: ReadonlyArray<Rejection>
  readonly duplicateMarkers: ReadonlyArray<MarkerPlace>
  readonly staleMarkers: ReadonlyArray<MarkerPlace>
  /** Ingested markers whose timestamp lay too far in the future and became the instant of receipt. */
  readonly clampedMarkers: ReadonlyArray<MarkerPlace>
}

/** The counts of an empty batch. */
export const nothingSent: IngestCounts = {
  ingestedMarkersCount: 0,
  rejectedMarkersCount: 0,
  duplicateMarkersCount: 0,
  staleMarkersCount: 0,
  rejectedMarkers: [],
  duplicateMarkers: [],
  staleMarkers: [],
  clampedMarkers: []
}

/** An imported marker that was clamped long ago keeps the instant of its first receipt, so nothing of it was changed now. */
const isClampedNow = (marker: IncomingMarker | undefined): boolean =>
  marker !== undefined && marker.clamped && marker.timestamp === marker.receivedAt

/** The counts of a batch. `duplicates` holds the indexes of the kept markers that the store found to be duplicates. */
export const tally = (batch: Batch, duplicates: ReadonlyArray<number>): IngestCounts => {
  const { kept, keptPlaces, rejected, stale } = batch
  const repeated = new Set(duplicates)
  return {
    ingestedMarkersCount: kept.length - repeated.size,
    rejectedMarkersCount: rejected.length,
    duplicateMarkersCount: repeated.size,
    staleMarkersCount: stale.length,
    rejectedMarkers: rejected,
    duplicateMarkers: keptPlaces.filter((_, at) => repeated.has(at)),
    staleMarkers: stale,
    clampedMarkers: keptPlaces.filter((_, at) => isClampedNow(kept[at]) && !repeated.has(at))
  }
}

/** The number of markers sent. */
export const totalOf = (counts: IngestCounts): number =>
  counts.ingestedMarkersCount + counts.rejectedMarkersCount + counts.duplicateMarkersCount + counts.staleMarkersCount

/** The number of markers that each list in the summary of an import names; further ones are only counted. */
const namedMarkers = 1000

/** Both lists as one of at most `namedMarkers`; the indexes of the second count from `offset`. */
const joined = <Place extends MarkerPlace>(
  before: ReadonlyArray<Place>,
  part: ReadonlyArray<Place>,
  offset: number
): ReadonlyArray<Place> => [
  ...before,
  ...part.slice(0, namedMarkers - before.length).map((place) => ({ ...place, index: place.index + offset }))
]

/** The counts of two parts of an import together; indexes count from its first marker. */
export const followedBy = (before: IngestCounts, part: IngestCounts): IngestCounts => {
  const offset = totalOf(before)
  return {
    ingestedMarkersCount: before.ingestedMarkersCount + part.ingestedMarkersCount,
    rejectedMarkersCount: before.rejectedMarkersCount + part.rejectedMarkersCount,
    duplicateMarkersCount: before.duplicateMarkersCount + part.duplicateMarkersCount,
    staleMarkersCount: before.staleMarkersCount + part.staleMarkersCount,
    rejectedMarkers: joined(before.rejectedMarkers, part.rejectedMarkers, offset),
    duplicateMarkers: joined(before.duplicateMarkers, part.duplicateMarkers, offset),
    staleMarkers: joined(before.staleMarkers, part.staleMarkers, offset),
    clampedMarkers: joined(before.clampedMarkers, part.clampedMarkers, offset)
  }
}
