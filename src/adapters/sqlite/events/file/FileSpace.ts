import type { Db } from "./Db.ts"

/** Pages that are returned in one step. */
const vacuumedPages = 2000

/** Gives back what deleted rows have left in the file and in its log. */
export class FileSpace {
  private readonly db: Db

  constructor(db: Db) {
    this.db = db
  }

  /** Returns free pages to the disk. */
  *vacuum(): Generator<void, void> {
    while (Number(this.db.pragma("freelist_count", { simple: true })) > 0) {
      this.db.exec(`pragma incremental_vacuum(${vacuumedPages})`)
      yield
    }
  }

  /**
   * Empties the write-ahead log. A reader in the middle of a question prevents it, so it is tried again after each
   * slice.
   */
  *emptyLog(): Generator<void, void> {
    const empty = this.db.prepare<[], { readonly busy: number }>("pragma wal_checkpoint(truncate)")
    while (empty.get()?.busy === 1) yield
  }
}
