import type Database from "better-sqlite3"

/** Brings the log into the file as far as nobody reads an older version; answers whether all of it is there. */
export const bringOver = (db: Database.Database): boolean => {
  const done = db
    .prepare<[], { busy: number; log: number; checkpointed: number }>("pragma wal_checkpoint(passive)")
    .get()
  return done !== undefined && done.busy === 0 && done.log === done.checkpointed
}

/** Brings the log into the file and empties it; answers whether it is empty. */
export const emptyLog = (db: Database.Database): boolean =>
  db.prepare<[], { busy: number }>("pragma wal_checkpoint(truncate)").get()?.busy === 0

/** A number that is another one once another connection has committed. */
export const versionOf = (db: Database.Database): number => Number(db.pragma("data_version", { simple: true }))
