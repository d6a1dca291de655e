import { rmSync, statSync } from "node:fs"
import type { Db } from "./Db.ts"
import { openForReading } from "./EventsDb.ts"

/**
 * Keeps the write-ahead log as it is where the writer's thread ends without having closed its connection. A process that ends by an uncaught
 * exception or by `process.exit` closes the connections of its threads, and SQLite then brings the log into the file and deletes it where
 * the connection is the last: behind the guard's back, which finds at the next start that a log is gone. This connection, of the main
 * thread, is never closed by the end of a process, and it only reads, so it leaves the log alone when it is the last.
 */
export class HeldLog {
  private readonly db: Db
  private readonly files: ReadonlyArray<string>

  /** To be made once the writer has opened the file. */
  constructor(file: string) {
    this.files = [`${file}-wal`, `${file}-shm`]
    this.db = openForReading(file)
    // SQLite takes its lock with the first read, and keeps it.
    this.db.pragma("schema_version")
  }

  /** Call it when the writer has closed. Removes the log it has emptied, as SQLite does for a last connection that writes. */
  close(): void {
    this.db.close()
    const isEmpty = statSync(this.files[0] ?? "", { throwIfNoEntry: false })?.size === 0
    if (isEmpty) for (const file of this.files) rmSync(file, { force: true })
  }
}
