import type { LogKeeper } from "../../pages/LogKeeper.ts"
import type { Db } from "./Db.ts"

/** Pages that are returned in one step. */
const vacuumedPages = 2000

/** Each attempt to empty the log waits for the disk, as commits do meanwhile. */
const againMillis = 20

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

  /** Empties the write-ahead log. A reader in the middle of a question prevents it, so it is tried again after a while. */
  *emptyLog(): Generator<void, void> {
    for (let next = 0; ;) {
      if (performance.now() >= next) {
        if (this.log.empty()) return
        next = performance.now() + againMillis
      }
      yield
    }
  }
}
