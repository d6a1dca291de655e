import { createHash } from "node:crypto"
import { Effect } from "effect"
import { unfiltered } from "../../../domain/analytics/filter/Filter.ts"
import { exposureType } from "../../../domain/analytics/filter/Memberships.ts"
import type { StoredEvent } from "../../../domain/analytics/markers/Event.ts"
import type { ListingAnswer, ListingCursor, ListingPlan } from "../../../domain/analytics/question/Question.ts"
import { exposureText } from "../../../domain/experiments/ExposureMarker.ts"
import { markerIdOf } from "../../../domain/ingest/MarkerId.ts"
import type { Events } from "../events/Events.ts"
import type { Exposed } from "./MetadataRepairs.ts"
import { readingOf } from "./StoreReading.ts"

/** The name of the note in the metadata's file that a repair has lost assignments, which the next start makes up for. */
export const lostAssignmentsNote = "lost_assignments"

/** Milliseconds that one page of exposures may take. */
const budget = 600_000
const perPage = 10_000

/** The exposure that a marker records; none where the marker is not of this server's making. Games may send what they like. */
const exposedBy = (environmentId: number, marker: StoredEvent): ReadonlyArray<Exposed> => {
  const { experimentId, groupId, unitType } = marker.arguments
  const { unitId: distinctId, timestamp: at } = marker
  if (typeof experimentId !== "number" || typeof groupId !== "number" || typeof unitType !== "string") return []
  if (distinctId === null) return []
  const digest = createHash("sha256").update(exposureText({ experimentId, groupId, distinctId, at })).digest()
  return markerIdOf(digest, 0) === marker.markerId
    ? [{ environmentId, experimentId, groupId, unitType, distinctId, at }]
    : []
}

/** Calls `use` with every exposure of the environment since `from` (epoch milliseconds), the newest first, many at a time. */
export const eachExposure = Effect.fnUntraced(function* (
  events: Events,
  environmentId: number,
  from: number,
  use: (exposures: ReadonlyArray<Exposed>) => Effect.Effect<void>
) {
  const ask = readingOf(events, { budget, organizationOf: () => Effect.succeed(undefined) })
  const range = { from, to: Number.MAX_SAFE_INTEGER }
  let after: ListingCursor | null = null
  do {
    const plan: ListingPlan = { range, types: [exposureType], unitId: null, filter: unfiltered, limit: perPage, after }
    const { answer }: { readonly answer: ListingAnswer } = yield* ask<"listing">(environmentId, {
      kind: "listing",
      plan
    })
    yield* use(answer.items.flatMap((marker) => exposedBy(environmentId, marker)))
    after = answer.next
  } while (after !== null)
})
