import { reasonOf } from "../../../local/ReasonOf.ts"
import { fileReplaced, storageFull, type StoreProblem, unwritable } from "../../../../domain/operations/StoreProblem.ts"
import { FilePlace } from "../../FilePlace.ts"
import type { Db } from "./Db.ts"
import { formatOf, isStorageFull } from "./EventsDb.ts"

/** Tries whether the event file takes writes, and whether its path still leads to it. */
export class WriteProbe {
  private readonly db: Db
  private readonly place: FilePlace

  constructor(db: Db) {
    this.db = db
    this.place = new FilePlace(db.memory ? "" : db.name)
  }

  /** Writes the format's number again, and so page 1 of the file: a write that changes nothing. Do not call it inside a transaction. */
  run(): ReadonlyArray<StoreProblem> {
    const replaced = this.isLost() ? [fileReplaced("events")] : []
    return [...replaced, ...this.write()]
  }

  /** Whether the path no longer leads to the open file, so that nobody would find what is written to it. */
  isLost(): boolean {
    return this.place.isLost()
  }

  private write(): ReadonlyArray<StoreProblem> {
    try {
      this.db.pragma(`user_version = ${formatOf(this.db)}`)
      return []
    } catch (cause) {
      return [isStorageFull(cause) ? storageFull("events") : unwritable("events", reasonOf(cause))]
    }
  }
}
