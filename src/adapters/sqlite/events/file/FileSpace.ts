import type { LogKeeper } from "../../pages/LogKeeper.ts"
import type { Db } from "./Db.ts"

/** Pages that are returned in one step. */
const vacuumedPages = 2000

/** Gives back what deleted rows have left in the file and in its log. */
export class FileSpace {
  private readonly db: Db
  private readonly log: LogKeeper

  constructor(db: Db, log: LogKeeper) {
    this.db = db
    this.log = log
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
    while (!this.log.empty()) yield
  }
}
