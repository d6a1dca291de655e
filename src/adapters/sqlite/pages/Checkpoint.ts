import type Database from "better-sqlite3"

/** Brings the log into the file as far as nobody reads an older version; answers whether all of it is there. */
export const bringOver = (db: Database.Database): boolean => {
  const done = db
    .prepare<[], { busy: number; log: number; checkpointed: number }>("pragma wal_checkpoint(passive)")
    .get()
  return done !== undefined && done.busy === 0 && done.log === done.checkpointed
}

/**
 * Brings the log into the file and empties it; answers whether it is empty. Where the connection `waits` for whoever reads as long as it is patient,
 * its thread can do nothing else until then.
 */
export const emptyLog = (db: Database.Database, waits: boolean): boolean => {
  const patience = Number(db.pragma("busy_timeout", { simple: true }))
  if (!waits) db.pragma("busy_timeout = 0")
  try {
    return db.prepare<[], { busy: number }>("pragma wal_checkpoint(truncate)").get()?.busy === 0
  } finally {
    if (!waits) db.pragma(`busy_timeout = ${patience}`)
  }
}

/** A number that is another one once another connection has committed. */
export const versionOf = (db: Database.Database): number => Number(db.pragma("data_version", { simple: true }))
