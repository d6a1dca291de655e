import { FileSystem, Path } from "@effect/platform"
import Database from "better-sqlite3"
import { Effect, Option, Schema } from "effect"
import { ownFiles } from "../DataFolder.ts"
import { formatOf, formatVersion } from "../events/file/EventsDb.ts"
import { newestMigration } from "../MetadataDb.ts"
import { bad, type Finding, good } from "../../../domain/operations/Finding.ts"

/** Opens each file of the server for writing, as the server will, and writes nothing. */
export const checkWritable = Effect.fnUntraced(function* (folder: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const names = yield* Effect.orElseSucceed(ownFiles(folder), () => [])
  const [refused] = yield* Effect.partition(names, (name) =>
    Effect.mapError(Effect.scoped(files.open(path.join(folder, name), { flag: "r+" })), () => name)
  )
  return refused.length === 0
    ? good("Every file in it can be written")
    : bad(
        `This user cannot write ${refused.join(", ")}: start the server as their owner, or change the owner with chown`
      )
})

const read = (file: string, number: (database: Database.Database) => unknown) =>
  Effect.option(
    Effect.try(() => {
      const database = new Database(file, { readonly: true, fileMustExist: true })
      const found = number(database)
      database.close()
      return Schema.is(Schema.Number)(found) ? found : 0
    })
  )

const compare = (name: string, written: Option.Option<number>, known: number): ReadonlyArray<Finding> => {
  if (Option.isNone(written)) return []
  return written.value > known
    ? [bad(`${name} has format ${written.value}, this version knows ${known} and older ones: upgrade gamekeeper`)]
    : [good(`${name} has format ${written.value}, which this version knows`)]
}

/** Whether this version can read what another one has written. A file that cannot be read at all is left to other checks. */
export const checkFormats = Effect.fnUntraced(function* (metadata: string, events: string) {
  const migration = yield* read(metadata, (database) =>
    database.prepare("select max(migration_id) from effect_sql_migrations").pluck().get()
  )
  const format = yield* read(events, formatOf)
  return [...compare("metadata.sqlite", migration, newestMigration), ...compare("events.sqlite", format, formatVersion)]
})
