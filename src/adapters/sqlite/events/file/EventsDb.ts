import Database from "better-sqlite3"
import type { Db } from "./Db.ts"
import { cohortTables } from "./CohortTables.ts"
import { rebuildFilters } from "./KeyRuns.ts"
import { activityTables, StoredActivity } from "./StoredActivity.ts"

/** Raise it whenever stored bytes change their meaning: older builds then refuse the file instead of misreading it. */
export const formatVersion = 5

const applicationId = 0x474b4556

const tables = `
create table environment (
  id integer primary key,
  next_sequence integer not null
) strict;
create table tail (
  id integer primary key autoincrement,
  events integer not null,
  data blob not null
) strict;
create table segment (
  id integer primary key autoincrement,
  environment_id integer not null,
  type text,
  rows integer not null,
  first_timestamp integer not null,
  last_timestamp integer not null,
  last_sequence integer not null,
  columns text not null
) strict;
create index segment_by_type on segment (environment_id, type, first_timestamp);
create table segment_column (
  id integer primary key,
  data blob not null
) strict;
create table unit (
  environment_id integer not null,
  id integer not null,
  name any not null,
  primary key (environment_id, id)
) strict, without rowid;
create unique index unit_by_name on unit (environment_id, name);
create table session (
  environment_id integer not null,
  id integer not null,
  name any not null,
  primary key (environment_id, id)
) strict, without rowid;
create unique index session_by_name on session (environment_id, name);
create table receipt (
  environment_id integer not null,
  first_sequence integer not null,
  last_sequence integer not null,
  data blob not null,
  primary key (environment_id, first_sequence)
) strict, without rowid;
create table key_run (
  id integer primary key autoincrement,
  environment_id integer not null,
  day integer not null,
  keys integer not null,
  first_sequence integer not null,
  last_sequence integer not null,
  fences blob not null,
  filter blob not null
) strict;
create table key_page (
  id integer primary key,
  data blob not null
) strict;
create table seen_type (
  environment_id integer not null,
  type text not null,
  first_seen_at integer not null,
  last_seen_at integer not null,
  primary key (environment_id, type)
) strict, without rowid;
create table seen_day (
  environment_id integer not null,
  type text not null,
  day integer not null,
  events integer not null,
  primary key (environment_id, type, day)
) strict, without rowid;
create table seen_name (
  environment_id integer not null,
  source text not null,
  name text not null,
  type text not null,
  kinds text not null,
  last_seen_at integer not null,
  counts text not null,
  primary key (environment_id, source, name, type)
) strict;
`

export class UnknownFormat extends Error {
  override readonly name = "UnknownFormat"
}

/** `steps[n]` brings a file of format n to format n + 1. */
const steps: ReadonlyArray<(db: Db) => void> = [
  (db) => {
    db.exec(tables)
    db.pragma(`application_id = ${applicationId}`)
  },
  (db) => {
    db.exec(cohortTables)
  },
  (db) => {
    db.exec(activityTables)
    new StoredActivity(db).rebuild()
  },
  rebuildFilters,
  /** Segments sealed from here on carry a time index, which older builds would take for values. */
  () => undefined
]

export const formatOf = (db: Db): number => Number(db.pragma("user_version", { simple: true }))

const migrate = (db: Db): void => {
  const version = formatOf(db)
  if (version === formatVersion) return
  if (version > formatVersion || version < 0)
    throw new UnknownFormat(`The event file has format ${version}, this build reads ${formatVersion} and older ones`)
  db.transaction(() => {
    for (const step of steps.slice(version)) step(db)
    db.pragma(`user_version = ${formatVersion}`)
  }).immediate()
}

/** Opens the event file's one read-write connection, migrating the file. Every commit is synced to disk. */
export const openForWriting = (file: string): Db => {
  const db = new Database(file)
  db.pragma("page_size = 8192")
  db.pragma("auto_vacuum = incremental")
  db.pragma("journal_mode = wal")
  db.pragma("synchronous = full")
  db.pragma("secure_delete = fast")
  db.pragma("journal_size_limit = 67108864")
  db.pragma("cache_size = -32000")
  migrate(db)
  return db
}

/** Opens a read-only connection. Each question runs in one read transaction and so sees one snapshot. */
export const openForReading = (file: string): Db => {
  const db = new Database(file, { readonly: true, fileMustExist: true })
  db.pragma("query_only = on")
  db.pragma("cache_size = -16000")
  return db
}

const storageFullCodes = new Set(["SQLITE_FULL", "SQLITE_IOERR_WRITE", "SQLITE_IOERR_FSYNC", "SQLITE_IOERR_SHMSIZE"])

/** Whether a driver error means that the disk or the quota is full. */
export const isStorageFull = (cause: unknown): boolean =>
  cause instanceof Database.SqliteError && (storageFullCodes.has(cause.code) || cause.message.includes("ENOSPC"))
