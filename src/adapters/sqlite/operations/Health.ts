import { SqlClient } from "@effect/sql"
import { SqlError } from "@effect/sql/SqlError"
import { Cause, Effect, Layer } from "effect"
import { readdir, stat, statfs } from "node:fs/promises"
import { dirname, join } from "node:path"
import {
  damagedParts,
  dataLost,
  fileReplaced,
  storageFull,
  unwritable
} from "../../../domain/operations/StoreProblem.ts"
import { StoreFull, StoreLost } from "../../../ports/analytics/EventStore.ts"
import { Health } from "../../../ports/operations/Health.ts"
import { RowGuard } from "../../sql/sums/RowGuard.ts"

const inMemory = ":memory:"

/** What the driver says of a write that it refused. */
const reasonOf = (error: unknown): string =>
  error instanceof SqlError && error.cause instanceof Error ? error.cause.message : String(error)

const refusal = (cause: Cause.Cause<unknown>) => {
  const error = Cause.squash(cause)
  if (error instanceof StoreLost) return fileReplaced("metadata")
  return error instanceof StoreFull ? storageFull("metadata") : unwritable("metadata", reasonOf(error))
}

/** The files of both stores and what SQLite and this server keep beside them, so that copies in the folder make no further names. */
const storeFile = /^(?:metadata|events)\.sqlite(?:-[a-z]+)?$/

/** A file that goes away meanwhile is left out. */
const sizesIn = (folder: string) =>
  Effect.tryPromise(() => readdir(folder)).pipe(
    Effect.orElseSucceed((): ReadonlyArray<string> => []),
    Effect.flatMap((names) =>
      Effect.forEach(names.filter((name) => storeFile.test(name)).toSorted(), (name) =>
        Effect.tryPromise(() => stat(join(folder, name))).pipe(
          Effect.map((found) => (found.isFile() ? [{ name, bytes: found.size }] : [])),
          Effect.orElseSucceed(() => [])
        )
      )
    ),
    Effect.map((found) => found.flat())
  )

/** Looks at the metadata's file by writing page 1 of it again, which changes nothing. */
export const HealthSqlite = (filename: string) =>
  Layer.effect(
    Health,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { damagedRows } = yield* RowGuard
      const written = sql`update effect_sql_migrations set name = name where migration_id = 1`.pipe(
        Effect.as([]),
        Effect.catchAllCause((cause) => Effect.succeed([refusal(cause)]))
      )

      const lost = sql`select 1 from repairs where kind = 'lost' and accepted_at is null limit 1`.pipe(
        Effect.map((rows) => (rows.length === 0 ? [] : [dataLost])),
        Effect.orElseSucceed(() => [])
      )

      const damaged = Effect.map(damagedRows, (rows) => damagedParts("metadata", rows))

      const free = Effect.tryPromise(() => statfs(dirname(filename))).pipe(
        Effect.map(({ bavail, bsize }) => bavail * bsize),
        Effect.orElseSucceed(() => null)
      )

      return {
        metadata: Effect.map(Effect.all([written, lost, damaged]), (found) => found.flat()),
        freeBytes: filename === inMemory ? Effect.succeed(null) : free,
        fileSizes: filename === inMemory ? Effect.succeed([]) : sizesIn(dirname(filename))
      }
    })
  )
