import { bigEndian } from "../../../../src/adapters/sqlite/events/bytes/BitStream.ts"
import type { Db } from "../../../../src/adapters/sqlite/events/file/Db.ts"
import { type KeyLayout, keyPage } from "../../../../src/adapters/sqlite/events/format/KeyLayout.ts"
import { keyWords } from "../../../../src/adapters/sqlite/events/format/KeyPage.ts"
import { type KeyRun, pagesPerRun } from "../../../../src/adapters/sqlite/events/format/KeyRun.ts"

/** The most records of a page that builds of the formats 1 to 6 wrote. */
const pageKeys = 400

const pageBytes = pageKeys * keyWords * 4

/** The pages that builds of the formats 1 to 6 made of the ids of these pages, and their fences. */
const flattened = (layout: KeyLayout, pages: ReadonlyArray<Uint8Array>) => {
  const all = Buffer.concat(pages.map((page) => bigEndian(keyPage(layout, page).records())))
  const flat = Array.from({ length: Math.ceil(all.length / pageBytes) }, (_, page) =>
    Uint8Array.from(all.subarray(page * pageBytes, (page + 1) * pageBytes))
  )
  return {
    pages: flat,
    fences: Uint32Array.from(flat.flatMap((page) => [...keyPage(null, page).records().subarray(0, 2)]))
  }
}

/** A run as a build of the formats 1 to 6 wrote it. */
export const flatRun = (run: KeyRun): KeyRun => ({ ...run, layout: null, ...flattened(run.layout, run.pages) })

/** Makes of the runs of a file what builds of the formats 1 to 6 wrote. */
export const flattenRuns = (db: Db): void => {
  const stored = db
    .prepare<[number, number], Uint8Array>("select data from key_page where id between ? and ? order by id")
    .pluck()
  const remove = db.prepare<[number, number]>("delete from key_page where id between ? and ?")
  const put = db.prepare<[number, Uint8Array]>("insert into key_page (id, data) values (?, ?)")
  const note = db.prepare<[Uint8Array, number]>("update key_run set layout = null, fences = ? where id = ?")
  for (const { id, layout } of db
    .prepare<[], { id: number; layout: KeyLayout }>("select id, layout from key_run")
    .all()) {
    const bounds = [id * pagesPerRun, (id + 1) * pagesPerRun - 1] as const
    const { pages, fences } = flattened(layout, stored.all(...bounds))
    remove.run(...bounds)
    for (const [place, page] of pages.entries()) put.run(id * pagesPerRun + place, page)
    note.run(new Uint8Array(fences.buffer), id)
  }
}
