import type { Db } from "../file/Db.ts"
import type { KeyRuns } from "../file/KeyRuns.ts"
import type { Segments } from "../file/Segments.ts"

const rowsAtOnce = 2000

/**
 * The tables that hold an environment's rows, beside segments and key runs; with the columns that, within it, identify
 * a row.
 */
const tables = [
  ["erasure", "fingerprint"],
  ["receipt", "first_sequence"],
  ["activity", "day"],
  ["seen_day", "type, day"],
  ["seen_type", "type"],
  ["seen_name", "source, name, type"],
  ["cohort_staging", "cohort_id"],
  ["cohort_member", "cohort_id, unit, entered_at"],
  ["cohort", "cohort_id"],
  ["session", "id"],
  ["unit", "id"]
] as const

/**
 * Removes all sealed data of an environment in many small transactions. After an interruption, calling it again
 * completes the removal.
 */
export class Removal {
  private readonly db: Db
  private readonly segments: Segments
  private readonly runs: KeyRuns

  constructor(db: Db, segments: Segments, runs: KeyRuns) {
    this.db = db
    this.segments = segments
    this.runs = runs
  }

  *remove(environmentId: number): Generator<void, void> {
    for (const segment of this.segments.newerThan(0)) {
      if (segment.environmentId !== environmentId) continue
      this.db.transaction(() => this.segments.delete(segment.id))()
      yield
    }
    yield* this.runs.removeAll(environmentId)
    for (const [table, key] of tables) {
      const removal = this.db.prepare<[number, number]>(
        `delete from ${table} where environment_id = ? and (${key}) in
           (select ${key} from ${table} where environment_id = ? limit ${rowsAtOnce})`
      )
      while (removal.run(environmentId, environmentId).changes > 0) yield
    }
    this.db.prepare<[number]>("delete from environment where id = ?").run(environmentId)
  }
}
