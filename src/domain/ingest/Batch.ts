import type { Event } from "../analytics/markers/Event.ts"
import { type Draft, type Receipt, readMarker } from "./Marker.ts"
import { markerIdOf } from "./MarkerId.ts"
import { refuse, type Rejection } from "./Rejection.ts"
import { wellFormed } from "./Text.ts"

/** What became of the markers of a batch: every one is in exactly one of drafts, rejected and stale. */
export interface Batch {
  /** In the order they were sent. */
  readonly drafts: ReadonlyArray<Draft>
  readonly rejected: ReadonlyArray<Rejection>
  readonly stale: number
  /** Drafts without an id of their own. */
  readonly unnamed: number
}

const longestEcho = 64

const sentId = (marker: unknown): string | null => {
  if (typeof marker !== "object" || marker === null || !("markerId" in marker)) return null
  return typeof marker.markerId === "string" ? wellFormed(marker.markerId.slice(0, longestEcho)) : null
}

const erased = refuse("UNIT_ERASED", "The data of this unit up to now were erased")

const isErased = ({ unitId, timestamp }: Draft, receipt: Receipt): boolean =>
  unitId !== null && receipt.isErased !== undefined && receipt.isErased(unitId, timestamp)

/** Normalizes the markers of one request, each by itself. */
export const readBatch = (markers: ReadonlyArray<unknown>, receipt: Receipt): Batch => {
  const drafts: Array<Draft> = []
  const rejected: Array<Rejection> = []
  let stale = 0
  let unnamed = 0
  for (let index = 0; index < markers.length; index++) {
    const outcome = readMarker(markers[index], receipt)
    if (outcome._tag === "Refused") rejected.push({ index, markerId: sentId(markers[index]), ...outcome.refusal })
    else if (outcome._tag === "Stale") stale++
    else if (isErased(outcome.draft, receipt)) rejected.push({ index, markerId: sentId(markers[index]), ...erased })
    else {
      drafts.push(outcome.draft)
      if (outcome.draft.markerId === null) unnamed++
    }
  }
  return { drafts, rejected, stale, unnamed }
}

const isNamed = (draft: Draft): draft is Event => draft.markerId !== null

/** The drafts as events; those without an id take one of 16 random bytes each. */
export const nameDrafts = (drafts: ReadonlyArray<Draft>, random: Uint8Array): ReadonlyArray<Event> => {
  const events: Array<Event> = []
  let offset = 0
  for (const draft of drafts) {
    if (isNamed(draft)) events.push(draft)
    else {
      events.push({ ...draft, markerId: markerIdOf(random, offset) })
      offset += 16
    }
  }
  return events
}
