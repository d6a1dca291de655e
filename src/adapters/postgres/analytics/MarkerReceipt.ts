import { SqlClient } from "@effect/sql"
import { Deferred, Effect, Queue } from "effect"
import { LruCache, mebibyte, textBytes } from "../../../domain/LruCache.ts"
import { StoreFull } from "../../../ports/analytics/EventStore.ts"
import { isDiskFull, unavailableOr } from "../Failures.ts"
import { freshNames, type NamedMarker } from "./FreshNames.ts"
import type { MarkerKeys } from "./MarkerKeys.ts"

/** A marker as it is to be stored. */
export interface ReceivedMarker extends NamedMarker {
  readonly id: string
  /** Its line of JSON after its sequence, which is the first value. */
  readonly line: string
  /** The length of the line in UTF-8. */
  readonly bytes: number
}

/** What one request brings, received on a UTC day (days since 1970). */
interface Receipt {
  readonly environment: number
  readonly day: number
  readonly markers: ReadonlyArray<ReceivedMarker>
  readonly answer: Deferred.Deferred<ReadonlyArray<number>, StoreFull>
}

/** What PostgreSQL says of a commit: the highest sequence after it, and which ids were known. */
interface Appended {
  readonly highest: number
  readonly isRemoved: boolean
  readonly isStored: boolean
  readonly known: ReadonlyArray<string>
}

/** What this process remembers of an environment: its names, as JSON, and the highest sequence, which others may have raised. */
interface Remembered {
  readonly names: ReadonlySet<string>
  highest: number
}

/** Bytes of markers that may wait for their commit. */
const mostBytes = 64_000_000

/** Requests of one commit at most, and markers after which a commit takes no further request. */
const mostRequests = 1000
const mostMarkers = 5000

const sizeOf = (markers: ReadonlyArray<ReceivedMarker>): number => markers.reduce((sum, { bytes }) => sum + bytes, 0)

const countOf = (receipts: ReadonlyArray<Receipt>): number =>
  receipts.reduce((sum, { markers }) => sum + markers.length, 0)

/** The requests in groups that one commit can take: some of one environment and day, in their order. */
const groupsOf = (receipts: Iterable<Receipt>): ReadonlyArray<ReadonlyArray<Receipt>> => {
  const groups: Array<Array<Receipt>> = []
  const latest = new Map<number, Array<Receipt>>()
  for (const receipt of receipts) {
    const group = latest.get(receipt.environment)
    if (group?.[0]?.day === receipt.day && countOf(group) < mostMarkers) {
      group.push(receipt)
      continue
    }
    const fresh = [receipt]
    latest.set(receipt.environment, fresh)
    groups.push(fresh)
  }
  return groups
}

/** The first marker of each id. */
const firstsOf = (receipts: ReadonlyArray<Receipt>): ReadonlyMap<string, ReceivedMarker> => {
  const firsts = new Map<string, ReceivedMarker>()
  for (const { markers } of receipts)
    for (const marker of markers) if (!firsts.has(marker.id)) firsts.set(marker.id, marker)
  return firsts
}

/** The places in a request of those markers that are not among the `kept`. */
const othersOf = ({ markers }: Receipt, kept: ReadonlyMap<string, ReceivedMarker>): ReadonlyArray<number> => {
  const others: Array<number> = []
  for (const [index, marker] of markers.entries()) if (kept.get(marker.id) !== marker) others.push(index)
  return others
}

const newLine = 10

/** Bytes of `{"sequence":`, the largest sequence, a comma and the end of a line. */
const mostBesides = 30

/** The lines with their sequences from `first` on. */
const payloadOf = (markers: ReadonlyArray<ReceivedMarker>, first: number): Uint8Array => {
  const payload = Buffer.allocUnsafe(sizeOf(markers) + markers.length * mostBesides)
  let [end, sequence] = [0, first]
  for (const { line } of markers) {
    end += payload.write(`{"sequence":${sequence++},`, end, "latin1")
    end += payload.write(line, end)
    payload[end++] = newLine
  }
  return payload.subarray(0, end)
}

/**
 * Stores markers in PostgreSQL's log. What waits goes into one commit for each environment and day, which is one statement
 * (`append_markers`). A marker is acknowledged when its commit is on disk; the lock on the environment's head makes receipts follow one
 * another among all processes.
 */
export const makeMarkerReceipt = (keys: MarkerKeys, dedupeDays: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const queue = yield* Queue.unbounded<Receipt>()
    const remembered = new LruCache<Remembered, number>(16 * mebibyte, ({ names }) =>
      [...names].reduce((sum, name) => sum + textBytes(name), 0)
    )
    let waitingBytes = 0

    const rememberedOf = (environment: number): Remembered => {
      const known = remembered.get(environment)
      if (known !== undefined) return known
      const unknown: Remembered = { names: new Set(), highest: 0 }
      remembered.set(environment, unknown)
      return unknown
    }

    /** Stores those markers that are not known. If some are known and names are given, which these may have brought, it stores nothing. */
    const append = (
      environment: number,
      day: number,
      markers: ReadonlyArray<ReceivedMarker>,
      names: ReadonlyArray<string>
    ) =>
      Effect.suspend(() => {
        const { highest } = rememberedOf(environment)
        const ids = `{${markers.map(({ id }) => id).join(",")}}`
        return sql<Appended>`
          select highest, is_removed as "isRemoved", is_stored as "isStored", known from append_markers(
            ${environment}, ${day}, ${day - dedupeDays}, ${ids}::uuid[], ${highest}, ${payloadOf(markers, highest + 1)},
            ${names.length === 0 ? null : `[${names.join(",")}]`}::json
          )`
      })

    /** What is not known of the markers is stored with the names that it brings; answers these markers by their ids. */
    const store = (environment: number, day: number, firsts: ReadonlyMap<string, ReceivedMarker>) =>
      Effect.gen(function* () {
        const kept = new Map(firsts)
        for (;;) {
          const known = rememberedOf(environment)
          const markers = [...kept.values()]
          const names = freshNames(markers, known.names)
          const [appended] = yield* append(environment, day, markers, names)
          if (appended === undefined || appended.isRemoved) return firsts
          for (const id of appended.known) kept.delete(id)
          if (!appended.isStored) continue
          known.highest = appended.highest
          if (names.length > 0)
            remembered.set(environment, { names: new Set([...known.names, ...names]), highest: appended.highest })
          return kept
        }
      })

    const commit = (receipts: ReadonlyArray<Receipt>) =>
      Effect.gen(function* () {
        const [one] = receipts
        if (one === undefined) return
        const { environment, day } = one
        yield* keys.open(day)
        const firsts = firstsOf(receipts)
        const kept = yield* store(environment, day, firsts)
        yield* Effect.forEach(receipts, (receipt) => Deferred.succeed(receipt.answer, othersOf(receipt, kept)), {
          discard: true
        })
      }).pipe(
        Effect.catchTag("SqlError", (error) =>
          isDiskFull(error) ? Effect.fail(new StoreFull()) : unavailableOr(error)
        ),
        Effect.catchAllCause((cause) =>
          Effect.zipRight(
            keys.forget,
            Effect.forEach(receipts, ({ answer }) => Deferred.failCause(answer, cause))
          )
        ),
        Effect.ensuring(
          Effect.sync(() => {
            for (const { markers } of receipts) waitingBytes -= sizeOf(markers)
          })
        )
      )

    /** Commits of one environment follow one another, those of several run side by side. */
    const turn = Effect.gen(function* () {
      const receipts = yield* Queue.takeBetween(queue, 1, mostRequests)
      const groups = groupsOf(receipts)
      const environments = new Set(groups.map(([receipt]) => receipt?.environment))
      yield* Effect.forEach(
        environments,
        (environment) =>
          Effect.forEach(
            groups.filter(([receipt]) => receipt?.environment === environment),
            commit,
            { discard: true }
          ),
        { concurrency: 4, discard: true }
      )
    })

    yield* Effect.forkScoped(Effect.forever(turn))

    const receive = (environment: number, day: number, markers: ReadonlyArray<ReceivedMarker>) =>
      Effect.gen(function* () {
        const answer = yield* Deferred.make<ReadonlyArray<number>, StoreFull>()
        waitingBytes += sizeOf(markers)
        yield* Queue.offer(queue, { environment, day, markers, answer })
        return yield* Deferred.await(answer)
      })

    /** Forgets a removed environment with its names. */
    const forget = (environment: number) => Effect.sync(() => remembered.delete(environment))

    return { receive, forget, isOverloaded: () => waitingBytes > mostBytes }
  })
