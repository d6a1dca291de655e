import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** Keeps the ids of the dedupe window in a partition for each UTC day of receipt, and remembers which days have a partition. */
export const makeMarkerKeys = Effect.map(SqlClient.SqlClient, (sql) => {
  const days = new Set<number>()
  const partition = (day: number) => sql(`marker_key_${day}`)

  /** One process at a time makes and drops partitions; inside of a transaction. */
  const turn = sql`select pg_advisory_xact_lock(hashtext('partitions of marker_key'))`

  /** Makes room for the ids that are received on a UTC day (days since 1970). */
  const open = (day: number) =>
    days.has(day)
      ? Effect.void
      : sql
          .withTransaction(
            Effect.zipRight(
              turn,
              sql`create table if not exists ${partition(day)} partition of marker_key for values in (${sql.literal(String(day))})`
            )
          )
          .pipe(Effect.tap(() => Effect.sync(() => days.add(day))))

  /** Drops the days before this one. */
  const close = (before: number) =>
    sql.withTransaction(
      Effect.gen(function* () {
        yield* turn
        const partitions = yield* sql<{ readonly day: number }>`
          select replace(inhrelid::regclass::text, 'marker_key_', '')::bigint as day
          from pg_inherits where inhparent = 'marker_key'::regclass`
        for (const { day } of partitions) {
          if (day >= before) continue
          yield* sql`drop table ${partition(day)}`
          days.delete(day)
        }
      })
    )

  /** Forgets which days have a partition: another process may have dropped one. */
  const forget = Effect.sync(() => days.clear())

  return { open, close, forget }
})

export type MarkerKeys = Effect.Effect.Success<typeof makeMarkerKeys>
