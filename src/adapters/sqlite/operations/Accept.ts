import Database from "better-sqlite3"
import { Clock, Effect } from "effect"
import { randomUUID } from "node:crypto"
import { describeMismatch, isAcceptable, type Mismatch } from "../../../domain/operations/FilePair.ts"
import { acquireDataFolder, type DataFiles, dataFilesIn, DataFolderUnusable } from "../DataFolder.ts"
import { addRecordTables } from "../events/file/FileRecords.ts"
import { findMismatch } from "./FoundFiles.ts"
import { pairRow, pairTable } from "./PairTable.ts"

const inFile = <A>(file: string, use: (database: Database.Database) => A) =>
  Effect.try({
    try: () => {
      const database = new Database(file, { fileMustExist: true, timeout: 5000 })
      database.pragma("wal_autocheckpoint = 0")
      const result = use(database)
      closeUntouched(database, file)
      return result
    },
    catch: (error) => new DataFolderUnusable({ message: `${file} cannot be written: ${String(error)}` })
  })

/** Leaves bringing the log into the file to the server: the last connection to close would do it, and one that only reads cannot. */
const closeUntouched = (database: Database.Database, file: string): void => {
  const other = new Database(file, { readonly: true })
  other.pragma("schema_version")
  database.close()
  other.close()
}

const letMetadataWait = (database: Database.Database): void => {
  database.exec(pairTable)
  database.exec(pairRow)
  database.exec("update file_pair set partner = null")
}

const letEventsWait = (database: Database.Database): void => {
  addRecordTables(database)
  const { changes } = database.prepare("update file_pair set partner = null").run()
  if (changes === 0)
    database.prepare<[string]>("insert into file_pair (own, partner) values (?, null)").run(randomUUID())
}

/** The file that stays waits for whatever partner it is started with next. */
const letWait = (mismatch: Mismatch, { metadata, events }: DataFiles) => {
  const metadataStays = mismatch._tag !== "Lost" || mismatch.file === "events"
  const eventsStay = mismatch._tag !== "Lost" || mismatch.file === "metadata"
  return Effect.zipRight(
    metadataStays ? inFile(metadata, letMetadataWait) : Effect.void,
    eventsStay ? inFile(events, letEventsWait) : Effect.void
  )
}

const acceptLosses = (file: string, now: number) =>
  inFile(file, (database) => {
    const known = database.prepare("select 1 from sqlite_schema where name = 'repairs'").get()
    if (known === undefined) return 0
    return database
      .prepare<[number]>("update repairs set accepted_at = ? where accepted_at is null and kind = 'lost'")
      .run(now).changes
  })

/**
 * Goes on with the files as they are: accepts what starts have found to be lost, also while the server runs, and lets a file whose partner
 * is lost be started without it, for which no server may run. Answers what was done, in plain words.
 */
export const accept = Effect.fnUntraced(function* (folder: string) {
  const files = yield* dataFilesIn(folder)
  const mismatch = yield* findMismatch(files)
  if (mismatch === null) {
    const count = yield* acceptLosses(files.metadata, yield* Clock.currentTimeMillis)
    if (count === 0) return "Nothing is to be accepted"
    return count === 1 ? "1 loss was accepted" : `${count} losses were accepted`
  }
  if (!isAcceptable(mismatch)) return yield* new DataFolderUnusable({ message: describeMismatch(mismatch, files) })
  yield* Effect.scoped(Effect.zipRight(acquireDataFolder(folder), letWait(mismatch, files)))
  return "The next start goes on with the files as they are, and lists what is missing: doctor --accept accepts that, too"
})
