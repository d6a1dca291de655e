import type { Db } from "./Db.ts"

/** Pages that are returned in one step. */
const vacuumedPages = 2000

/** Gives back what deleted rows have left in the file. */
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
}
