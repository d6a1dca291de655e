import { Catalogue } from "../../../../domain/analytics/markers/Catalogue.ts"
import type { Db } from "../file/Db.ts"
import type { Dictionary } from "../file/Dictionary.ts"
import type { KeyRuns } from "../file/KeyRuns.ts"
import { Receipts } from "../file/ids/Receipts.ts"
import type { SealedEnvironment, SealedTail } from "./SealedTail.ts"
import type { Segments } from "../file/Segments.ts"
import type { StoredActivity } from "../file/StoredActivity.ts"
import type { StoredCatalogue } from "../file/StoredCatalogue.ts"

/** Structures of the file that sealing adds to. */
interface SealedStructures {
  readonly segments: Segments
  readonly runs: KeyRuns
  readonly units: Dictionary
  readonly sessions: Dictionary
  readonly catalogue: StoredCatalogue
  readonly activity: StoredActivity
}

/**
 * Moves markers from the tail into segments, and everything derived from them (catalogue, activity, receipts, key runs)
 * with them.
 */
export class Sealer {
  private readonly catalogue: StoredCatalogue
  private readonly db: Db
  private readonly segments: Segments
  private readonly runs: KeyRuns
  private readonly units: Dictionary
  private readonly sessions: Dictionary
  private readonly receipts: Receipts
  private readonly activity: StoredActivity
  private readonly deleteTail
  private readonly saveSequence

  constructor(db: Db, { segments, runs, units, sessions, catalogue, activity }: SealedStructures) {
    this.db = db
    this.segments = segments
    this.runs = runs
    this.units = units
    this.sessions = sessions
    this.catalogue = catalogue
    this.receipts = new Receipts(db)
    this.activity = activity
    this.deleteTail = db.prepare<[number]>("delete from tail where id <= ?")
    this.saveSequence = db.prepare<[number, number]>(
      `insert into environment (id, next_sequence) values (?, ?)
       on conflict do update set next_sequence = excluded.next_sequence`
    )
  }

  /** Stores what was made ready and takes it from the tail, in one transaction. Call `KeyRuns.load` if that fails. */
  store({ last, environments, segments, runs, units, sessions }: SealedTail): void {
    this.db.transaction(() => {
      this.units.save(units)
      this.sessions.save(sessions)
      for (const segment of segments) this.segments.insert(segment)
      for (const run of runs) this.runs.insert(run)
      for (const environment of environments) this.save(environment)
      this.deleteTail.run(last)
    })()
  }

  private save({ environmentId, nextSequence, types, names, days, receipts }: SealedEnvironment): void {
    this.catalogue.save(environmentId, new Catalogue(types, names))
    this.activity.save(environmentId, { days })
    this.receipts.save(environmentId, receipts, nextSequence - 1)
    this.saveSequence.run(environmentId, nextSequence)
  }
}
