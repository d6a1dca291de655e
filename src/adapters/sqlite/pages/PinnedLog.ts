import Database from "better-sqlite3"
import type { LogMark } from "./LogMark.ts"

/** What a thread that brings a log into its file is started with. */
export interface CheckpointStart {
  readonly file: string
}

/** Its answer to every message. `frames`: how many of the log are in the file now. */
export type CheckpointReply =
  | { readonly type: "ready" }
  | { readonly type: "done"; readonly frames: number }
  | { readonly type: "failed"; readonly message: string }

/**
 * Keeps checkpoints of other connections from going beyond the end that the write-ahead log has now, and the log from beginning anew:
 * SQLite does neither while somebody reads that version of the database.
 */
export class PinnedLog {
  private readonly db: Database.Database
  /** Up to where the log is in the file. */
  private brought: LogMark = null

  constructor(file: string) {
    this.db = new Database(file, { readonly: true, fileMustExist: true, timeout: 0 })
  }

  begin(): void {
    if (this.db.inTransaction) this.db.exec("rollback")
    this.db.exec("begin")
    this.db.prepare("select count(*) from sqlite_schema").get()
  }

  /** `mark`: where the log ends now. `frames`: how many of it are in the file. */
  end(mark: LogMark, frames: number): void {
    if (this.db.inTransaction) this.db.exec("rollback")
    this.brought = mark === null ? null : { salts: mark.salts, frames }
  }

  /** Frames up to the mark that are not in the file. */
  leftOf(mark: LogMark): number {
    const isSameLog = mark?.salts[0] === this.brought?.salts[0] && mark?.salts[1] === this.brought?.salts[1]
    return (mark?.frames ?? 0) - (isSameLog ? (this.brought?.frames ?? 0) : 0)
  }

  close(): void {
    this.db.close()
  }
}
