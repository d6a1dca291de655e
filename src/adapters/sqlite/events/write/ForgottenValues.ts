import { namesUnit } from "../../../../domain/operations/Mentions.ts"
import type { Db } from "../file/Db.ts"
import type { StoredValue } from "../file/StoredCatalogue.ts"
import { trustedJson } from "../bytes/TrustedJson.ts"

/** Milliseconds for which names are looked through in one transaction. */
const sliceMillis = 2

interface Place {
  readonly source: string
  readonly name: string
  readonly type: string
}

const beforeAll: Place = { source: "", name: "", type: "" }

interface Seen extends Place {
  readonly id: number
  /** JSON of a `StoredValue` for each value. */
  readonly counts: string
}

/** Removes values that name units from the catalogue. */
export class ForgottenValues {
  private readonly db: Db
  private readonly after
  private readonly put

  constructor(db: Db) {
    this.db = db
    this.after = db.prepare<[number, string, string, string], Seen>(
      `select rowid as id, source, name, type, counts from seen_name
       where environment_id = ? and (source, name, type) > (?, ?, ?) order by source, name, type`
    )
    this.put = db.prepare<[string, number]>("update seen_name set counts = ? where rowid = ?")
  }

  /** Removes every value that names one of the units, of all names in one pass, in small transactions; yields in between. */
  *forget(environmentId: number, unitIds: ReadonlyArray<string>): Generator<void, void> {
    const written = unitIds.map((unitId) => JSON.stringify(unitId).slice(1, -1))
    const forgetSome = this.db.transaction(({ source, name, type }: Place): Place | null => {
      const until = performance.now() + sliceMillis
      const found: Array<Seen> = []
      let last: Place | null = null
      for (const row of this.after.iterate(environmentId, source, name, type)) {
        if (written.some((text) => row.counts.includes(text))) found.push(row)
        if (performance.now() < until) continue
        last = row
        break
      }
      for (const { id, counts } of found) this.put.run(without(counts, unitIds), id)
      return last
    })
    for (let last: Place | null = beforeAll; last !== null; yield) last = forgetSome(last)
  }
}

const without = (counts: string, unitIds: ReadonlyArray<string>): string =>
  JSON.stringify(
    trustedJson<ReadonlyArray<StoredValue>>(counts).filter(
      ([value]) => !unitIds.some((unitId) => namesUnit(value, unitId))
    )
  )
