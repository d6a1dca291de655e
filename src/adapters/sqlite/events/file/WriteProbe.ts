import { fileReplaced, storageFull, type StoreProblem, unwritable } from "../../../../domain/operations/StoreProblem.ts"
import { identityOf } from "../../FileIdentity.ts"
import type { Db } from "./Db.ts"
import { formatOf, isStorageFull } from "./EventsDb.ts"

/** Tries whether the event file takes writes, and whether its path still leads to it. */
export class WriteProbe {
  private readonly db: Db
  private readonly opened: string | null

  constructor(db: Db) {
    this.db = db
    this.opened = this.identity()
  }

  /** Writes the format's number, which it has already, and so page 1 of the file. Not to be called inside a transaction. */
  run(): ReadonlyArray<StoreProblem> {
    const replaced = this.identity() === this.opened ? [] : [fileReplaced("events")]
    return [...replaced, ...this.write()]
  }

  private write(): ReadonlyArray<StoreProblem> {
    try {
      this.db.pragma(`user_version = ${formatOf(this.db)}`)
      return []
    } catch (cause) {
      return [
        isStorageFull(cause)
          ? storageFull("events")
          : unwritable("events", cause instanceof Error ? cause.message : String(cause))
      ]
    }
  }

  private identity(): string | null {
    return this.db.memory ? null : identityOf(this.db.name)
  }
}
