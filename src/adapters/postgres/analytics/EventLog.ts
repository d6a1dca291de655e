import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import { nextTurn } from "../../../ports/operations/NextTurn.ts"

/** What is known of an environment's markers; zero before the first. */
export interface EventHead {
  /** The sequence of the latest acknowledged marker. */
  readonly highest: number
  /** The sequence of the latest marker that has left the log. */
  readonly flushed: number
  readonly removals: number
  readonly generations: number
}

/** Markers on their way out of the log, from one sequence to another, as lines of JSON. */
export interface Block {
  readonly first: number
  readonly last: number
  /** The lines of each commit. */
  readonly texts: ReadonlyArray<string>
}

/** What becomes of the lines of one commit. */
type Change = (payload: Uint8Array) => Uint8Array

const untouched: EventHead = { highest: 0, flushed: 0, removals: 0, generations: 0 }

/** Markers of a block at most, except where one commit has more. */
const blockMarkers = 50_000

/** Commits of a block at most. */
const blockCommits = 1000

/** The head and the log of each environment in PostgreSQL, but for their growth (see MarkerReceipt.ts). */
export const makeEventLog = Effect.map(SqlClient.SqlClient, (sql) => {
  const head = (environment: number) =>
    Effect.map(
      sql<EventHead>`select highest, flushed, removals, generations from event_head where environment = ${environment}`,
      ([found]) => found ?? untouched
    )

  const waiting = Effect.map(
    sql<{
      readonly environment: number
    }>`select environment from event_head where flushed < highest order by environment`,
    (rows) => rows.map(({ environment }) => environment)
  )

  const cutOf = (environment: number) =>
    Effect.map(
      sql<{ readonly first: number; readonly n: number }>`
        select first, n from event_log where environment = ${environment} order by first limit ${blockCommits}`,
      (commits) => {
        let [last, markers] = [0, 0]
        for (const { first, n } of commits) {
          if (markers > 0 && markers + n > blockMarkers) break
          markers += n
          last = first + n - 1
        }
        return last
      }
    )

  /** Fixes where the next block ends, and commits that before the block is sent anywhere. */
  const cut = (environment: number) =>
    Effect.gen(function* () {
      const known = yield* sql<{ readonly last: number }>`
        select last from event_flush where environment = ${environment}`
      if (known[0] !== undefined) return known[0].last
      const last = yield* cutOf(environment)
      if (last > 0) yield* sql`insert into event_flush (environment, last) values (${environment}, ${last})`
      return last
    })

  /**
   * The next block to go, the same one until `moved` says that it has gone, but for markers that are removed meanwhile; none when the log is
   * empty.
   */
  const nextBlock = (environment: number) =>
    Effect.gen(function* () {
      const last = yield* cut(environment)
      if (last === 0) return Option.none<Block>()
      // Ask for the bytes as a text: the digits of bytes would be twice as long.
      const rows = yield* sql<{ readonly first: number; readonly text: string }>`
        select first, convert_from(payload, 'UTF8') as text
        from event_log where environment = ${environment} and first <= ${last} order by first`
      return Option.some<Block>({ first: rows[0]?.first ?? last + 1, last, texts: rows.map(({ text }) => text) })
    })

  /** Takes the block up to `last` from the log, because ClickHouse has it. */
  const moved = (environment: number, last: number) =>
    sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`delete from event_log where environment = ${environment} and first <= ${last}`
        yield* sql`update event_head set flushed = greatest(flushed, ${last}) where environment = ${environment}`
        yield* sql`delete from event_flush where environment = ${environment} and last = ${last}`
      })
    )

  /** A removal of markers begins or ends. */
  const removal = (environment: number) =>
    sql`insert into event_head (environment, removals) values (${environment}, 1)
        on conflict (environment) do update set removals = event_head.removals + 1`

  /** Changes a commit in place; its sequences stay. Inside of the turn in which markers are moved. */
  const rewriteCommit = (environment: number, first: number, change: Change) =>
    Effect.gen(function* () {
      const found = yield* sql<{ readonly payload: Uint8Array }>`
        select payload from event_log where environment = ${environment} and first = ${first}`
      for (const { payload } of found)
        yield* sql`update event_log set payload = ${change(payload)} where environment = ${environment} and first = ${first}`
      yield* nextTurn
    })

  const rewriteCommits = (environment: number, commits: ReadonlyArray<{ readonly first: number }>, change: Change) =>
    Effect.forEach(commits, ({ first }) => rewriteCommit(environment, first, change), { discard: true })

  /** Changes the commits that have the text in them. Inside of the turn in which markers are moved. */
  const rewrite = (environment: number, part: string, change: Change) =>
    Effect.flatMap(
      sql<{ readonly first: number }>`
        select first from event_log
        where environment = ${environment} and position(${Buffer.from(part)}::bytea in payload) > 0`,
      (commits) => rewriteCommits(environment, commits, change)
    )

  /**
   * Nothing is left of the environment but its head, which takes no more markers, and the block that is on its way, changed by `emptied`.
   * Inside of the turn in which markers are moved.
   */
  const remove = (environment: number, emptied: Change) =>
    sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`insert into event_head (environment, removals, removed) values (${environment}, 1, true)
          on conflict (environment) do update
          set removals = event_head.removals + 1, removed = true, flushed = event_head.highest`
        yield* sql`delete from event_log where environment = ${environment} and first > coalesce(
          (select last from event_flush where event_flush.environment = ${environment}), 0)`
        const sent = yield* sql<{ readonly first: number }>`
          select first from event_log where environment = ${environment}`
        yield* rewriteCommits(environment, sent, emptied)
        for (const table of ["marker_key", "marker_name", "cohort_generation"])
          yield* sql`delete from ${sql(table)} where environment = ${environment}`
      })
    )

  const names = (environment: number) =>
    sql<{ readonly type: string; readonly source: string; readonly name: string }>`
      select type, source, name from marker_name where environment = ${environment}`

  /** The latest generation of each cohort's members (epoch ms). */
  const generations = (environment: number) =>
    Effect.map(
      sql<{ readonly cohort: number; readonly at: number }>`
        select cohort, at from cohort_generation where environment = ${environment} and at is not null`,
      (rows) => new Map(rows.map(({ cohort, at }) => [cohort, at]))
    )

  return { head, waiting, nextBlock, moved, removal, rewrite, remove, names, generations }
})

export type EventLog = Effect.Effect.Success<typeof makeEventLog>
