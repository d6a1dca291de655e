import Database from "better-sqlite3"
import { cpSync, mkdtempSync, openSync, readSync, closeSync, rmSync, statSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PageGuard } from "../../../../src/adapters/sqlite/pages/PageGuard.ts"

const schema = `
create table if not exists page_token (id integer primary key check (id = 1), token blob not null) strict;
create table if not exists note (id integer primary key, text text not null) strict;
create index if not exists note_by_text on note (text);
create table if not exists checked (id integer primary key, data blob not null) strict;
`

/** A database of its own with a guard, as the stores of the server use it. */
export const openDatabase = (file: string, reports: Array<string> = []) => {
  const guard = new PageGuard(file, { selfChecking: ["checked"], onDamage: (message) => reports.push(message) })
  const db = new Database(file)
  try {
    if (db.pragma("page_count", { simple: true }) === 0) db.pragma("auto_vacuum = incremental")
    db.pragma("journal_mode = wal")
    db.pragma("synchronous = off")
    guard.verify(db)
    db.exec(schema)
    guard.start(db)
  } catch (cause) {
    guard.finish(db)
    guard.close()
    throw cause
  }
  /** Ends as a killed process does: nothing is brought into the file. */
  const crash = () => {
    guard.close()
    db.close()
  }
  const close = () => {
    guard.finish(db)
    guard.close()
  }
  const insert = db.prepare<[string]>("insert into note (text) values (?)")
  const write = (text: string) => {
    insert.run(text)
    guard.note()
  }
  const notes = () => db.prepare<[], string>("select text from note order by id").pluck().all()
  return { db, guard, write, notes, close, crash }
}

export const inFolder = <A>(use: (file: string, folder: string) => A): A => {
  const folder = mkdtempSync(join(tmpdir(), "pages-"))
  try {
    return use(join(folder, "data.sqlite"), folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The files of a database as they are at this moment, in another folder: what a killed process leaves. */
export const copyOf = (file: string, folder: string, name: string): string => {
  const copy = join(folder, name)
  for (const suffix of ["", "-wal", "-shm", "-sums"]) rmSync(`${copy}${suffix}`, { force: true })
  for (const suffix of ["", "-wal", "-sums"])
    try {
      cpSync(`${file}${suffix}`, `${copy}${suffix}`)
    } catch {
      // There is no log after the database was closed.
    }
  return copy
}

/** Changes bytes of a file in place. */
export const change = (file: string, at: number, edit: (bytes: Uint8Array) => void, length = 1): void => {
  const descriptor = openSync(file, "r+")
  const bytes = new Uint8Array(length)
  readSync(descriptor, bytes, 0, length, at)
  edit(bytes)
  writeSync(descriptor, bytes, 0, length, at)
  closeSync(descriptor)
}

export const flip = (file: string, at: number): void => change(file, at, (bytes) => (bytes[0]! ^= 1 << (at % 8)))

export const sizeOf = (file: string): number => statSync(file).size
