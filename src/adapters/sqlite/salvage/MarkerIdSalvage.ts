import { ByteReader } from "../events/bytes/ByteReader.ts"
import { readDifferences } from "../events/bytes/IntegerEncoding.ts"
import type { Db } from "../events/file/Db.ts"
import { KeyRuns } from "../events/file/KeyRuns.ts"
import type { RunRow } from "../events/file/RunMerging.ts"
import { packedLayout, wholeRecords } from "../events/format/KeyLayout.ts"
import { keyWords } from "../events/format/KeyPage.ts"
import { KeyRunBuilder, pagesPerRun } from "../events/format/KeyRun.ts"
import { readable } from "./SegmentSalvage.ts"

/** How many ids a page of a run has whose layout is not known. */
const countIn = (data: Uint8Array): number => {
  const packed = wholeRecords(packedLayout, () => data) ?? wholeRecords(null, () => data)
  return packed === undefined ? 0 : packed.length / keyWords
}

/**
 * Removes the pages of runs that are gone: a run that is written anew may get the number of one of these. Answers how many ids they had.
 */
const removeStrayPages = (db: Db): number => {
  const stray = db
    .prepare<[], { id: number; data: Uint8Array }>(
      `select id, data from key_page where id / ${pagesPerRun} not in (select id from key_run)`
    )
    .all()
  const remove = db.prepare<[number]>("delete from key_page where id = ?")
  db.transaction(() => {
    for (const { id } of stray) remove.run(id)
  })()
  return stray.reduce((sum, { data }) => sum + countIn(data), 0)
}

/** Makes fences and filters of all runs of marker ids anew from the pages that are left. Answers how many ids are lost. */
export const rebuildRuns = (db: Db): number => {
  const rows = db
    .prepare<[], Omit<RunRow, "fences" | "filter">>(
      "select id, environment_id, day, keys, first_sequence, last_sequence, layout from key_run order by id"
    )
    .all()
  const pages = db
    .prepare<[number, number], Uint8Array>("select data from key_page where id between ? and ? order by id")
    .pluck()
  const remove = db.prepare<[number]>("delete from key_run where id = ?")
  const removePages = db.prepare<[number, number]>("delete from key_page where id between ? and ?")
  let lost = removeStrayPages(db)
  db.exec(
    "update key_run set fences = x'', filter = x'0000000000000000000000000000000000000000000000000000000000000000'"
  )
  const runs = new KeyRuns(db)
  for (const row of rows) {
    const bounds = [row.id * pagesPerRun, (row.id + 1) * pagesPerRun - 1] as const
    const builder = new KeyRunBuilder()
    for (const data of pages.all(...bounds)) {
      const records = wholeRecords(row.layout, () => data)
      if (records !== undefined) builder.addRecords(records)
    }
    lost += Math.max(0, row.keys - builder.size)
    db.transaction(() => {
      remove.run(row.id)
      removePages.run(...bounds)
      if (builder.size > 0)
        runs.insert(builder.finish(row.environment_id, row.day, [row.first_sequence, row.last_sequence]))
    })()
  }
  return lost
}

interface ReceiptRow {
  readonly environment_id: number
  readonly first_sequence: number
  readonly last_sequence: number
  readonly data: Uint8Array
}

const isReceipt = ({ data }: ReceiptRow): boolean =>
  readable(() => {
    const from = new ByteReader(data)
    const count = from.varint()
    return count === 0 || (readDifferences(from, count), readDifferences(from, count).length === count)
  }) === true

/** Notes that the instants of receipt of these markers are not known: otherwise those of the markers before would count for them. */
const unknown = Uint8Array.of(0)

/** Fills the gaps between times of receipt, up to the first sequence that is not sealed. Answers how many sequences have none. */
export const fillReceipts = (db: Db, environmentId: number, nextSequence: number): number => {
  const rows = db
    .prepare<[number], ReceiptRow>("select * from receipt where environment_id = ? order by first_sequence")
    .all(environmentId)
  const remove = db.prepare<[number, number]>("delete from receipt where environment_id = ? and first_sequence = ?")
  const put = db.prepare<[number, number, number, Uint8Array]>(
    "insert or replace into receipt (environment_id, first_sequence, last_sequence, data) values (?, ?, ?, ?)"
  )
  let [next, missing] = [1, 0]
  const fill = (until: number): void => {
    if (until <= next) return
    put.run(environmentId, next, until - 1, unknown)
    missing += until - next
  }
  db.transaction(() => {
    for (const row of rows) {
      if (!isReceipt(row)) {
        remove.run(environmentId, row.first_sequence)
        continue
      }
      fill(row.first_sequence)
      next = Math.max(next, row.last_sequence + 1)
    }
    fill(nextSequence)
  })()
  return missing
}
