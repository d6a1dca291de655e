import { SqlClient } from "@effect/sql"
import Database from "better-sqlite3"
import { Effect, Layer, Schedule, Schema } from "effect"
import { closeSync, openSync, readSync } from "node:fs"
import { LongReadsHere } from "../sql/LongReads.ts"
import { Repos } from "../sql/Repos.ts"
import { RowGuardLive } from "../sql/sums/RowGuard.ts"
import { DataFolderUnusable } from "./DataFolder.ts"
import { ExclusiveClient } from "./ExclusiveClient.ts"
import { newestMigration } from "./MetadataDb.ts"
import { closeUntouched } from "./pages/ClosedLog.ts"

const Applied = Schema.Array(Schema.Struct({ migrationId: Schema.NullOr(Schema.Number) }))

/** The log belongs to the server, which keeps the checksums of what it brings into the file: here nothing is brought over. */
const pragmas = ["wal_autocheckpoint = 0", "foreign_keys = on", "busy_timeout = 5000"]

/** A server that has begun to start has its folder before it has its tables: how often, and for how long at most, they are waited for. */
const starting = Schedule.upTo(Schedule.spaced("100 millis"), "10 seconds")

const otherVersion = new DataFolderUnusable({
  message: "The running server is of another version: use the command of the same version, or stop the server"
})

const notYet = new DataFolderUnusable({
  message: "The running server has not made its tables yet, or is of an older version: try again, or stop the server"
})

/** The last migration that the server has made; 0 while it has made none. */
const applied = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`select max(migration_id) as migration_id from effect_sql_migrations`
  const [last] = yield* Effect.orDie(Schema.decodeUnknown(Applied)(rows))
  return last?.migrationId ?? 0
}).pipe(Effect.orElseSucceed(() => 0))

const demandTables = Effect.flatMap(applied, (last) => {
  if (last === newestMigration) return Effect.void
  return last < newestMigration ? notYet : otherVersion
}).pipe(Effect.retry({ schedule: starting, while: (failure) => failure === notYet }))

const prepare = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const pragma of [...pragmas, "secure_delete = on"]) yield* Effect.orDie(sql.unsafe(`pragma ${pragma}`))
  yield* demandTables
})

/** Where the header of a database says whether readers have a version of their own, and that they do (https://sqlite.org/fileformat.html#file_format_version_numbers). */
const [readVersion, withLog] = [19, 2]

/** Whether the server has opened the file: from then on, nobody who reads it keeps the server from anything. */
const isOpened = (filename: string): boolean => {
  const descriptor = openSync(filename, "r")
  const header = new Uint8Array(readVersion + 1)
  readSync(descriptor, header, 0, header.length, 0)
  closeSync(descriptor)
  return header[readVersion] === withLog
}

const open = (filename: string) =>
  Effect.try({ try: () => isOpened(filename), catch: () => notYet }).pipe(
    Effect.filterOrFail(
      (hasBegun) => hasBegun,
      () => notYet
    ),
    Effect.retry(starting),
    Effect.map(() => {
      const database = new Database(filename, { fileMustExist: true, timeout: 5000 })
      // SQLite counts a connection among those that have the log only once it has read something.
      database.pragma("schema_version")
      return database
    })
  )

/** A second connection beside a running server. If the server ends meanwhile, the log is left for its next start. */
export const ClientBesideServer = (filename: string) => {
  // Opened first and closed last: the last connection to close would bring the log into the file.
  const last = Layer.scopedDiscard(
    Effect.acquireRelease(open(filename), (database) => Effect.sync(() => closeUntouched(database, filename)))
  )
  return Layer.effectDiscard(prepare).pipe(Layer.provideMerge(ExclusiveClient(filename)), Layer.provide(last))
}

/**
 * The tables of people beside a running server, as a second connection that writes in short transactions. Only for what the server keeps
 * in no cache (see docs/caches.md): people, their sessions, links and roles.
 */
export const MetadataBesideServer = (filename: string) =>
  Repos.pipe(Layer.provide(RowGuardLive), Layer.provide(LongReadsHere), Layer.provide(ClientBesideServer(filename)))
