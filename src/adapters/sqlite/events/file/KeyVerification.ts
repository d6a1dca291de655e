import { type KeyLayout, keyPage } from "../format/KeyLayout.ts"
import { keyWords } from "../format/KeyPage.ts"
import { pagesPerRun } from "../format/KeyRun.ts"
import type { Db } from "./Db.ts"
import { layoutIn } from "./EventsDb.ts"

interface StoredRun {
  readonly id: number
  readonly keys: number
  readonly pages: number
  readonly layout: KeyLayout
}

export const storedRuns = (db: Db): ReadonlyArray<StoredRun> =>
  db
    .prepare<[], StoredRun>(`select id, keys, length(fences) / 8 as pages, ${layoutIn(db)} from key_run order by id`)
    .all()

const isAfter = (records: Uint32Array, at: number, before: Uint32Array, from: number): boolean => {
  for (let word = 0; word < 4; word++)
    if (records[at + word] !== before[from + word]) return records[at + word]! > before[from + word]!
  return false
}

/** Reads all of a run of marker ids, and throws where something of it is not as it was written. */
export const checkRun = (db: Db, { id, keys, pages, layout }: StoredRun): void => {
  const stored = db.prepare<[number], Uint8Array>("select data from key_page where id = ?").pluck()
  let count = 0
  let last: Uint32Array | null = null
  for (let place = 0; place < pages; place++) {
    const page = keyPage(layout, stored.get(id * pagesPerRun + place))
    if (page.count === 0 || !page.isWhole) throw new Error(`page ${place} is missing or not whole`)
    const records = page.records()
    let isSorted = last === null || isAfter(records, 0, last, last.length - keyWords)
    for (let at = keyWords; at < records.length; at += keyWords)
      isSorted &&= isAfter(records, at, records, at - keyWords)
    if (!isSorted) throw new Error(`the ids of page ${place} are out of order`)
    count += page.count
    last = records
  }
  if (count !== keys) throw new Error(`it has ${count} ids instead of ${keys}`)
}
