import Database from "better-sqlite3"
import type { Db } from "./Db.ts"
import { addRecordTables } from "./FileRecords.ts"
import { PageGuard } from "../../pages/PageGuard.ts"
import { formatSteps } from "../steps/FormatSteps.ts"

/** Add a step whenever stored bytes change their meaning: older builds then refuse the file instead of misreading it. */
export const formatVersion = formatSteps.length

export class UnknownFormat extends Error {
  override readonly name = "UnknownFormat"
}

export const formatOf = (db: Db): number => Number(db.pragma("user_version", { simple: true }))

/** The column of a run's layout, which files of the formats 1 to 6 lack: they are read before they are brought forward. */
export const layoutIn = (db: Db): string => (formatOf(db) < 7 ? "null as layout" : "layout")

const migrate = (db: Db): void => {
  const version = formatOf(db)
  if (version === formatVersion) return
  if (version > formatVersion || version < 0)
    throw new UnknownFormat(`The event file has format ${version}, this build reads ${formatVersion} and older ones`)
  db.transaction(() => {
    for (const step of formatSteps.slice(version)) step(db)
    db.pragma(`user_version = ${formatVersion}`)
  }).immediate()
}

/**
 * Opens the event file's one read-write connection, migrating the file. Every commit is synced to disk. A guard, made before the call,
 * compares the file with its checksums first and follows it from then on.
 */
export const openForWriting = (file: string, guard?: PageGuard): Db => {
  const db = new Database(file)
  try {
    prepare(db, guard)
  } catch (cause) {
    if (guard === undefined) db.close()
    else guard.finish(db)
    throw cause
  }
  return db
}

const prepare = (db: Db, guard: PageGuard | undefined): void => {
  // Set these two only in an empty file: the pragmas write to the file even if they change nothing.
  if (db.pragma("page_count", { simple: true }) === 0) {
    db.pragma("page_size = 8192")
    db.pragma("auto_vacuum = incremental")
  }
  db.pragma("journal_mode = wal")
  db.pragma("synchronous = full")
  db.pragma("secure_delete = fast")
  db.pragma("journal_size_limit = 67108864")
  db.pragma("cache_size = -32000")
  guard?.verify(db)
  migrate(db)
  addRecordTables(db)
  guard?.start(db)
}

/** Tables whose rows are compared with checksums of their own when they are read. */
const selfChecking = ["segment_column"]

/** Opens the event file with its checksums. `onDamage` is called with damage that the store can live with. */
export const openGuarded = (file: string, onDamage: (message: string) => void) => {
  const guard = new PageGuard(file, { selfChecking, onDamage })
  try {
    return { db: openForWriting(file, guard), guard }
  } catch (cause) {
    guard.close()
    throw cause
  }
}

/** Most of what questions read are columns, each at once and of many pages: more memory would keep pages that are not read again. */
const readerPagesKb = 4000

/** Opens a read-only connection. Each question runs in one read transaction and so sees one snapshot. */
export const openForReading = (file: string): Db => {
  const db = new Database(file, { readonly: true, fileMustExist: true })
  db.pragma("query_only = on")
  db.pragma(`cache_size = -${readerPagesKb}`)
  return db
}

const storageFullCodes = new Set(["SQLITE_FULL", "SQLITE_IOERR_WRITE", "SQLITE_IOERR_FSYNC", "SQLITE_IOERR_SHMSIZE"])

/** Whether a driver error means that the disk or the quota is full. */
export const isStorageFull = (cause: unknown): boolean =>
  cause instanceof Database.SqliteError && (storageFullCodes.has(cause.code) || cause.message.includes("ENOSPC"))
