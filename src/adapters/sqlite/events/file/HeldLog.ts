import Database from "better-sqlite3"
import { statSync } from "node:fs"
import { identityOf } from "../../FileIdentity.ts"
import type { Db } from "./Db.ts"
import { openForReading } from "./EventsDb.ts"

/**
 * Keeps the write-ahead log as it is where the writer's thread ends without having closed its connection. A process that ends by an uncaught
 * exception or by `process.exit` closes the connections of its threads, and SQLite then brings the log into the file and deletes it where
 * the connection is the last: behind the guard's back, which finds at the next start that a log is gone. This connection, of the main
 * thread, is never closed by the end of a process, and it only reads, so it leaves the log alone when it is the last.
 */
export class HeldLog {
  private readonly file: string
  private readonly identity: string | null
  private readonly db: Db

  /** To be made once the writer has opened the file. */
  constructor(file: string) {
    this.file = file
    this.identity = identityOf(file)
    this.db = openForReading(file)
    // SQLite takes its lock with the first read, and keeps it.
    this.db.pragma("schema_version")
  }

  /**
   * Call it when the writer has closed. Has SQLite remove the log that the writer has emptied, as it does with a last connection that may write,
   * and not while anybody else reads. A log that holds something is left alone, and so is what another folder has at this path by now.
   */
  close(): void {
    this.db.close()
    const log = statSync(`${this.file}-wal`, { throwIfNoEntry: false })
    if (identityOf(this.file) !== this.identity || log?.size !== 0) return
    try {
      const last = new Database(this.file)
      last.pragma("schema_version")
      last.close()
    } catch {
      // An empty log may stay.
    }
  }
}
