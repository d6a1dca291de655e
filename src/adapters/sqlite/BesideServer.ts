import { SqlClient } from "@effect/sql"
import Database from "better-sqlite3"
import { Effect, Layer, Schema } from "effect"
import { LongReadsHere } from "../sql/LongReads.ts"
import { Repos } from "../sql/Repos.ts"
import { RowGuardLive } from "../sql/sums/RowGuard.ts"
import { DataFolderUnusable } from "./DataFolder.ts"
import { ExclusiveClient } from "./ExclusiveClient.ts"
import { newestMigration } from "./MetadataDb.ts"
import { closeUntouched } from "./pages/ClosedLog.ts"

const Applied = Schema.Array(Schema.Struct({ migrationId: Schema.Number }))

/** The log belongs to the server, which keeps the checksums of what it brings into the file: here nothing is brought over. */
const pragmas = ["wal_autocheckpoint = 0", "foreign_keys = on", "busy_timeout = 5000"]

const prepare = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const pragma of [...pragmas, "secure_delete = on"]) yield* sql.unsafe(`pragma ${pragma}`)
  const rows = yield* sql`select max(migration_id) as migration_id from effect_sql_migrations`
  const [applied] = yield* Schema.decodeUnknown(Applied)(rows)
  if (applied?.migrationId !== newestMigration) {
    return yield* new DataFolderUnusable({
      message: "The running server is of another version: use the command of the same version, or stop the server"
    })
  }
}).pipe(Effect.catchTags({ SqlError: Effect.die, ParseError: Effect.die }))

/**
 * The tables of people beside a running server, as a second connection that writes in short transactions. Only for what the server keeps
 * in no cache (see docs/caches.md): people, their sessions and links. If the server ends meanwhile, the log is left for its next start.
 */
export const MetadataBesideServer = (filename: string) => {
  // Opened first and closed last: the last connection to close would bring the log into the file.
  const last = Layer.scopedDiscard(
    Effect.acquireRelease(
      Effect.sync(() => new Database(filename, { fileMustExist: true, timeout: 5000 })),
      (database) => Effect.sync(() => closeUntouched(database, filename))
    )
  )
  return Repos.pipe(
    Layer.provide(RowGuardLive),
    Layer.provide(LongReadsHere),
    Layer.provide(Layer.effectDiscard(prepare).pipe(Layer.provideMerge(ExclusiveClient(filename)))),
    Layer.provide(last)
  )
}
