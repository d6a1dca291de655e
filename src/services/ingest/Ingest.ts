import { Clock, Effect, Schedule } from "effect"
import { Principal } from "../../../schema/access/Auth.ts"
import { Overloaded, StorageFull } from "../../../schema/RequestErrors.ts"
import { InvalidMarkers } from "../../../schema/ingest/IngestErrors.ts"
import type { IngestResult } from "../../../schema/ingest/Ingest.ts"
import type { Environment } from "../../domain/access/Organization.ts"
import { keyOf } from "../../domain/access/Principal.ts"
import type { Event } from "../../domain/analytics/markers/Event.ts"
import type { ApplicationId, EnvironmentId } from "../../domain/Ids.ts"
import { keptFor } from "../../domain/ingest/Marker.ts"
import { BatchReader, withMarkerIds } from "../../domain/ingest/Batch.ts"
import { type IngestCounts, tally, totalOf } from "../../domain/ingest/IngestCounts.ts"
import { EventStore } from "../../ports/analytics/EventStore.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { Attribution } from "../deeplinks/Attribution.ts"
import { Metrics } from "../operations/Metrics.ts"
import { Retention } from "../operations/Retention.ts"
import { ErasedUnits } from "../operations/ErasedUnits.ts"
import { MarkerNames } from "./MarkerNames.ts"
import { CohortWatch } from "../cohorts/CohortWatch.ts"
import type { GameRequest } from "../game/GameAccess.ts"
import { GameAccess, trustedUntil } from "../game/GameAccess.ts"
import { Policy } from "../access/Policy.ts"
import { LiveFeed } from "../live/LiveFeed.ts"
import { inTurns } from "../InTurns.ts"
import { whole } from "../Whole.ts"

/** The refusal of markers while too many wait to be stored. */
export const tooManyWait = new Overloaded({
  message: "Too many markers wait to be stored: send them again in a moment"
})

const overloaded = () => Effect.fail(tooManyWait)
const full = () =>
  Effect.fail(new StorageFull({ message: "The disk of this server is full: nothing of this batch was stored" }))

/** Markers that are read in one step. */
const markersPerStep = 25

/** Hands on so many at a time. */
function* partSteps(
  markers: ReadonlyArray<unknown>,
  read: (some: ReadonlyArray<unknown>) => void
): Generator<undefined, void> {
  for (let start = 0; start < markers.length; start += markersPerStep) {
    if (start > 0) yield undefined
    read(markers.slice(start, start + markersPerStep))
  }
}

/** A back-fill asks an overloaded store again for half a minute instead of giving up. */
const retriesForHalfAMinute = { schedule: Schedule.spaced("100 millis"), times: 300 }

const storedWords = (count: number): string => `${count} ${count === 1 ? "marker" : "markers"} stored`

const result = ({ id, alias }: Environment, counts: IngestCounts): IngestResult => ({
  message: storedWords(counts.ingestedMarkersCount),
  environment: { id, alias },
  ...counts
})

/** The counts as an answer; a refusal when every marker was rejected. */
const conclude = (environment: Environment, counts: IngestCounts) => {
  const { rejectedMarkersCount } = counts
  return rejectedMarkersCount > 0 && rejectedMarkersCount === totalOf(counts)
    ? Effect.fail(new InvalidMarkers({ message: "Every marker was rejected", ...counts }))
    : Effect.succeed(result(environment, counts))
}

/**
 * The bytes in memory that nothing else uses, so that it can be given to another thread. Node reads the body of a request into memory of
 * its own, which weighs on this thread until V8's next collection; memory that is given away uncopied is gone at once.
 */
const owned = (bytes: Buffer): Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
    ? new Uint8Array(bytes.buffer)
    : new Uint8Array(bytes)

/** Where a key's markers go, and the epoch milliseconds until which that holds unless access changes. */
export interface IngestScope {
  readonly environment: Environment
  readonly until: number
}

/** Takes markers in: from games, and from servers that fill in the past. */
export class Ingest extends Effect.Service<Ingest>()("services/ingest/Ingest", {
  effect: Effect.gen(function* () {
    const retention = yield* Retention
    const access = yield* GameAccess
    const attribution = yield* Attribution
    const erased = yield* ErasedUnits
    const markerNames = yield* MarkerNames
    const watch = yield* CohortWatch
    const live = yield* LiveFeed
    const policy = yield* Policy
    const store = yield* EventStore
    const secrets = yield* Secrets
    const metrics = yield* Metrics
    const clock = yield* Effect.clock

    /** Stores markers with all that follows from them; the indexes of the duplicates. Cohorts come first, because conversions may fail. */
    const keep = Effect.fnUntraced(function* (
      environment: Environment,
      receivedAt: number,
      events: ReadonlyArray<Event>,
      erasures: number
    ) {
      const duplicates = yield* store.append(environment.id, receivedAt, events)
      yield* erased.removeOvertaken(environment.id, erasures, events)
      if (duplicates.length < events.length) watch.arrived(environment.id, new Set(events.map(({ type }) => type)))
      yield* attribution.convert(environment, events)
      return duplicates
    }, whole)

    const append = Effect.fnUntraced(function* (
      environment: Environment,
      markers: ReadonlyArray<unknown>,
      isImport: boolean
    ) {
      const receivedAt = yield* Clock.currentTimeMillis
      const erasures = erased.erasures(environment.id)
      const isErased = yield* erased.testFor(environment.id)
      const names = yield* markerNames.of(environment.id)
      const bytesOfNames = names.bytes
      const kept = keptFor(retention.ruleOf(environment))
      const batch = new BatchReader({ receivedAt, ...kept, isErased, names, isImport })
      const read = (some: ReadonlyArray<unknown>) => {
        const namesBefore = names.bytes
        batch.read(some)
        markerNames.grown(environment.id, names, namesBefore)
      }
      if (markers.length <= markersPerStep) read(markers)
      else yield* inTurns(() => partSteps(markers, read))
      live.refused(environment.id, markers, batch.rejected)
      if (batch.kept.length === 0) return metrics.markers(tally(batch, []))
      const random = batch.withoutId === 0 ? new Uint8Array() : yield* secrets.bytes(batch.withoutId * 16)
      const events = withMarkerIds(batch.kept, random)
      const stored = Effect.tapErrorCause(keep(environment, receivedAt, events, erasures), () =>
        Effect.sync(() => markerNames.refused(environment.id, names, bytesOfNames))
      )
      const duplicates = yield* Effect.catchTags(stored, { StoreOverloaded: overloaded, StoreFull: full })
      live.stored(environment.id, events, duplicates)
      return metrics.markers(tally(batch, duplicates))
    })

    /** Where a game's markers go, once it has shown that it may send them. */
    const scope = Effect.fnUntraced(function* (request: GameRequest) {
      const environment = yield* access.environment("sdk:ingest", request)
      return { environment, until: trustedUntil(keyOf(yield* Principal)) } satisfies IngestScope
    })

    /** Stores the markers of one request of a game. Succeeds once they are on disk. */
    const markers = Effect.fnUntraced(function* (environment: Environment, batch: ReadonlyArray<unknown>) {
      return yield* conclude(environment, yield* append(environment, batch, false))
    })

    /**
     * Hands the body of a game's request to the store, which reads it. `done` gets the answer once its markers are on disk; the body where nothing
     * is stored, because something about them has to be known that only `markers` knows; neither where the store has died with it.
     */
    const receive = (
      environment: Environment,
      bytes: Buffer,
      done: (result: IngestResult | null, left: Uint8Array<ArrayBuffer> | null) => void
    ): void => {
      const body = owned(bytes)
      const erasedUntil = erased.until(environment.id)
      if (store.receive === null || erasedUntil === undefined || live.of(environment.id) !== undefined)
        return done(null, body)
      const receivedAt = clock.unsafeCurrentTimeMillis()
      const unread = { bytes: body, receivedAt, rule: retention.ruleOf(environment), erasedUntil }
      store.receive(environment.id, unread, (stored, left) => {
        if (stored === null) return done(null, left)
        watch.arrived(environment.id, stored.types)
        done(result(environment, metrics.markers(stored.counts)), null)
      })
    }

    /** Where a back-fill goes: `append` stores one part of it at a time, `conclude` answers for all parts together. */
    const importInto = Effect.fnUntraced(function* (applicationId: ApplicationId, environmentId: EnvironmentId) {
      const { environment } = yield* policy.environment("sdk:ingest", applicationId, environmentId)
      return {
        append: (part: ReadonlyArray<unknown>) =>
          Effect.retry(append(environment, part, true), {
            ...retriesForHalfAMinute,
            while: ({ _tag }) => _tag === "Overloaded"
          }),
        conclude: (counts: IngestCounts) => conclude(environment, counts)
      }
    })

    return { scope, markers, receive, isOverloaded: store.isOverloaded, importInto } as const
  })
}) {}
