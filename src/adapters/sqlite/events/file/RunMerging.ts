import { groupBy } from "../../../../domain/analytics/filter/Grouping.ts"
import type { Db } from "./Db.ts"
import { type KeyLayout, keyPage } from "../format/KeyLayout.ts"
import { type KeyRun, KeyRunBuilder, pagesPerRun } from "../format/KeyRun.ts"

const mergedRunKeys = 1_000_000
const runsPerMerge = 8
const pagesPerStep = 128

export interface RunRow {
  readonly id: number
  readonly environment_id: number
  readonly day: number
  readonly keys: number
  readonly first_sequence: number
  readonly last_sequence: number
  readonly fences: Uint8Array
  readonly filter: Uint8Array
  readonly layout: KeyLayout
}

/** Runs of one environment and day that are to become one. */
export interface MergeableRuns {
  readonly environmentId: number
  readonly day: number
  readonly ids: ReadonlyArray<number>
  /** How many marker ids they have. */
  readonly keys: number
}

interface MergedPart {
  readonly id: number
  readonly day: number
  readonly keys: number
}

/**
 * Small runs of one environment and day, to merge into a larger one; null where there are none. Of the newest day, which will get more
 * runs, eight are merged at a time. Of a day that is over, all small runs are merged, so that a look-up searches few of them.
 */
export const mergeableRuns = (environmentId: number, runs: ReadonlyArray<MergedPart>): MergeableRuns | null => {
  const newest = runs.reduce((latest, { day }) => Math.max(latest, day), 0)
  const small = runs.filter(({ keys }) => keys < mergedRunKeys / 2)
  for (const [day, own] of groupBy(small, (run) => run.day))
    if (own.length >= (day < newest ? 2 : runsPerMerge)) {
      const taken = own.slice(0, runsPerMerge)
      return {
        environmentId,
        day,
        ids: taken.map(({ id }) => id),
        keys: taken.reduce((sum, { keys }) => sum + keys, 0)
      }
    }
  return null
}

/** Reads runs and makes one of them; yields while reading. */
export function* mergedRun(db: Db, { environmentId, day, ids }: MergeableRuns): Generator<void, KeyRun> {
  const stored = db.prepare<[number], RunRow>("select * from key_run where id = ?")
  const pageOf = db.prepare<[number], Uint8Array>("select data from key_page where id = ?").pluck()
  const builder = new KeyRunBuilder()
  let first = Infinity
  let last = 0
  for (const id of ids) {
    const row = stored.get(id)
    first = Math.min(first, row?.first_sequence ?? first)
    last = Math.max(last, row?.last_sequence ?? last)
    const pages = row === undefined ? 0 : row.fences.length / 8
    for (let page = 0; page < pages; page++) {
      builder.addRecords(keyPage(row?.layout ?? null, pageOf.get(id * pagesPerRun + page)).records())
      if (page % pagesPerStep === 0) yield
    }
  }
  yield
  return builder.finish(environmentId, day, [first, last])
}
