import { SqlClient } from "@effect/sql"
import { Deferred, Effect, Queue } from "effect"
import { LruCache, mebibyte, textBytes } from "../../../domain/LruCache.ts"
import { StoreFull } from "../../../ports/analytics/EventStore.ts"
import { isDiskFull, unavailableOr } from "../Failures.ts"
import type { MarkerKeys } from "./MarkerKeys.ts"

/** A marker as it is to be stored. `line` completes its line of JSON with a sequence; `names` are those it may bring. */
export interface ReceivedMarker {
  readonly id: string
  readonly type: string
  readonly arguments: ReadonlyArray<string>
  readonly properties: ReadonlyArray<string>
  readonly line: (sequence: number) => string
  /** About the length of the line. */
  readonly bytes: number
}

/** What one request brings, received on a UTC day (days since 1970). */
interface Receipt {
  readonly environment: number
  readonly day: number
  readonly markers: ReadonlyArray<ReceivedMarker>
  readonly answer: Deferred.Deferred<ReadonlyArray<number>, StoreFull>
}

/** An environment's head as far as a receipt needs it. */
interface Locked {
  readonly highest: number
  readonly removed: boolean
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

/** The names that markers of one type have had. */
interface TypeNames {
  readonly argument: Set<string>
  readonly property: Set<string>
}

/** The names of the markers as rows, as JSON, that are not among the `known`. */
const freshNames = (markers: ReadonlyArray<ReceivedMarker>, known: ReadonlySet<string>): ReadonlyArray<string> => {
  const seen = new Map<string, TypeNames>()
  const fresh: Array<string> = []
  const note = (type: string, source: string, name: string) => {
    const row = JSON.stringify([type, source, name])
    if (!known.has(row)) fresh.push(row)
  }
  const noteAll = (type: string, source: keyof TypeNames, own: Set<string>, names: ReadonlyArray<string>) => {
    for (const name of names) {
      if (own.has(name)) continue
      own.add(name)
      note(type, source, name)
    }
  }
  for (const { type, arguments: own, properties } of markers) {
    let names = seen.get(type)
    if (names === undefined) {
      seen.set(type, (names = { argument: new Set(), property: new Set() }))
      note(type, "", "")
    }
    noteAll(type, "argument", names.argument, own)
    noteAll(type, "property", names.property, properties)
  }
  return fresh
}

/**
 * Stores markers in PostgreSQL's log. What waits goes into one commit for each environment and day. A marker is acknowledged when its commit
 * is on disk; the lock on the environment's head makes receipts follow one another among all processes.
 */
export const makeMarkerReceipt = (keys: MarkerKeys, dedupeDays: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const queue = yield* Queue.unbounded<Receipt>()
    const known = new LruCache<ReadonlySet<string>, number>(16 * mebibyte, (names) =>
      [...names].reduce((sum, name) => sum + textBytes(name), 0)
    )
    let waitingBytes = 0

    const saveNames = (environment: number, rows: ReadonlyArray<string>) =>
      rows.length === 0
        ? Effect.void
        : sql`insert into marker_name (environment, type, source, name)
            select ${environment}::bigint, (row -> 0)::text, row ->> 1, (row -> 2)::text
            from json_array_elements(${`[${rows.join(",")}]`}::json) as given(row)
            on conflict do nothing`

    /** The head of the environment, which nobody else changes before the transaction ends. */
    const locked = (environment: number) =>
      Effect.gen(function* () {
        const lock = sql<Locked>`
          select highest, removed from event_head where environment = ${environment} for update`
        const [found] = yield* lock
        if (found !== undefined) return found
        yield* sql`insert into event_head (environment) values (${environment}) on conflict do nothing`
        const [made] = yield* lock
        return made ?? { highest: 0, removed: true }
      })

    /** Gives each new marker its sequence, and each request the indexes of its duplicates. */
    const store = (environment: number, day: number, receipts: ReadonlyArray<Receipt>) =>
      Effect.gen(function* () {
        const head = yield* locked(environment)
        if (head.removed) return { answers: receipts.map(() => []), names: [] }
        const ids = new Set<string>()
        for (const { markers } of receipts) for (const { id } of markers) ids.add(id)
        const taken = yield* keys.claim(environment, day, day - dedupeDays, [...ids])
        const stored: Array<ReceivedMarker> = []
        const answers = receipts.map(({ markers }) =>
          markers.flatMap((marker, index) => {
            if (taken.has(marker.id) || !ids.delete(marker.id)) return [index]
            stored.push(marker)
            return []
          })
        )
        const names = freshNames(stored, known.get(environment) ?? new Set())
        if (stored.length === 0) return { answers, names }
        const first = head.highest + 1
        const payload = Buffer.from(stored.map(({ line }, at) => `${line(first + at)}\n`).join(""))
        yield* sql`with logged as (
            insert into event_log (environment, first, n, payload)
            values (${environment}, ${first}, ${stored.length}, ${payload})
          )
          update event_head set highest = ${head.highest + stored.length} where environment = ${environment}`
        yield* saveNames(environment, names)
        return { answers, names }
      })

    const remember = (environment: number, names: ReadonlyArray<string>): void => {
      if (names.length > 0) known.set(environment, new Set([...(known.get(environment) ?? []), ...names]))
    }

    const commit = (receipts: ReadonlyArray<Receipt>) =>
      Effect.gen(function* () {
        const [one] = receipts
        if (one === undefined) return
        const { environment, day } = one
        yield* keys.open(day)
        const { answers, names } = yield* sql.withTransaction(store(environment, day, receipts))
        remember(environment, names)
        yield* Effect.forEach(receipts, ({ answer }, at) => Deferred.succeed(answer, answers[at] ?? []))
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

    /** The environment is gone, and its names with it. */
    const forget = (environment: number) => Effect.sync(() => known.delete(environment))

    return { receive, forget, isOverloaded: () => waitingBytes > mostBytes }
  })
