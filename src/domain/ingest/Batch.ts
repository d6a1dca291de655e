import type { Event } from "../analytics/markers/Event.ts"
import { type IncomingMarker, type Receipt, readMarker } from "./Marker.ts"
import { markerIdOf } from "./MarkerId.ts"
import { type Refusal, refuse, type Rejection } from "./Rejection.ts"
import { wellFormed } from "./Text.ts"

/** Where a marker stood in what was sent, counted from 0, and its id as it was sent; null where it had no text as id. */
export type MarkerPlace = Pick<Rejection, "index" | "markerId">

/** What became of the markers of a batch: every one is in exactly one of kept, rejected and stale. */
export interface Batch {
  /** In the order they were sent. */
  readonly kept: ReadonlyArray<IncomingMarker>
  /** The place of each kept marker. */
  readonly keptPlaces: ReadonlyArray<MarkerPlace>
  readonly rejected: ReadonlyArray<Rejection>
  readonly stale: ReadonlyArray<MarkerPlace>
  /** Kept markers without an id of their own. */
  readonly withoutId: number
}

/** Markers of one request. */
export const maxMarkers = 1000

const maxEchoCharacters = 64

/** The markers in the JSON of a request; null where it holds no list of 1 to `maxMarkers`. */
export const markersOf = (body: unknown): ReadonlyArray<unknown> | null => {
  const markers: unknown = typeof body === "object" && body !== null && "markers" in body ? body.markers : undefined
  return Array.isArray(markers) && markers.length > 0 && markers.length <= maxMarkers ? markers : null
}

const sentId = (marker: unknown): string | null => {
  if (typeof marker !== "object" || marker === null || !("markerId" in marker)) return null
  return typeof marker.markerId === "string" ? wellFormed(marker.markerId.slice(0, maxEchoCharacters)) : null
}

const erased = refuse("UNIT_ERASED", "This unit was erased: its markers from before the erasure are refused")

const isErased = ({ unitId, timestamp }: IncomingMarker, receipt: Receipt): boolean =>
  unitId !== null && receipt.isErased !== undefined && receipt.isErased(unitId, timestamp)

/** Why a well-formed marker cannot be stored; null where it can. */
const refusalOf = (marker: IncomingMarker, receipt: Receipt): Refusal | null =>
  isErased(marker, receipt) ? erased : (receipt.names?.admit(marker) ?? null)

/** Normalizes the markers of one request, each independently of the others. */
export class BatchReader implements Batch {
  readonly kept: Array<IncomingMarker> = []
  readonly keptPlaces: Array<MarkerPlace> = []
  readonly rejected: Array<Rejection> = []
  readonly stale: Array<MarkerPlace> = []
  withoutId = 0
  private readonly receipt: Receipt
  private index = 0

  constructor(receipt: Receipt) {
    this.receipt = receipt
  }

  /** Reads the markers that follow those it has read. */
  read(markers: ReadonlyArray<unknown>): void {
    for (const marker of markers) this.readOne(marker)
  }

  private readOne(marker: unknown): void {
    const { receipt } = this
    const outcome = readMarker(marker, receipt)
    const place = { index: this.index++, markerId: sentId(marker) }
    if (outcome._tag === "Refused") this.rejected.push({ ...place, ...outcome.refusal })
    else if (outcome._tag === "Stale") this.stale.push(place)
    else {
      const refusal = refusalOf(outcome.marker, receipt)
      if (refusal !== null) this.rejected.push({ ...place, ...refusal })
      else {
        this.kept.push(outcome.marker)
        this.keptPlaces.push(place)
        if (outcome.marker.markerId === null) this.withoutId++
      }
    }
  }
}

/** Normalizes all markers of one request at once. */
export const readBatch = (markers: ReadonlyArray<unknown>, receipt: Receipt): Batch => {
  const batch = new BatchReader(receipt)
  batch.read(markers)
  return batch
}

const hasMarkerId = (marker: IncomingMarker): marker is Event => marker.markerId !== null

/** The markers as events; those without an id take one of 16 random bytes each. */
export const withMarkerIds = (kept: ReadonlyArray<IncomingMarker>, random: Uint8Array): ReadonlyArray<Event> => {
  const events: Array<Event> = []
  let offset = 0
  for (const marker of kept) {
    if (hasMarkerId(marker)) events.push(marker)
    else {
      events.push({ ...marker, markerId: markerIdOf(random, offset) })
      offset += 16
    }
  }
  return events
}
