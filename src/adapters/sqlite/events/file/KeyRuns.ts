import { groupBy } from "../../../../domain/analytics/filter/Grouping.ts"
import type { Db } from "./Db.ts"
import { keyBits, KeyFilter, keyHash } from "../format/KeyFilter.ts"
import { type KeyLayout, keyPage } from "../format/KeyLayout.ts"
import type { KeyPage } from "../format/KeyPage.ts"
import { type KeyRun, KeyRunBuilder, pagesPerRun } from "../format/KeyRun.ts"

const mergedRunKeys = 1_000_000
const runsPerMerge = 8
const pagesPerStep = 128

interface LoadedRun {
  readonly id: number
  readonly day: number
  readonly keys: number
  readonly layout: KeyLayout
  readonly fences: Uint32Array
  readonly filter: KeyFilter
}

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

const wordsOf = (bytes: Uint8Array): Uint32Array => new Uint32Array(new Uint8Array(bytes).buffer)
const bytesOf = (words: Uint32Array): Uint8Array => new Uint8Array(words.buffer, words.byteOffset, words.byteLength)

/**
 * The sealed marker ids of the dedupe window: sorted runs by environment and day of receipt, whose filters are held in
 * memory.
 */
export class KeyRuns {
  private readonly db: Db
  private readonly page
  private readonly insertRun
  private readonly insertPage
  private readonly key = new Uint32Array(4)
  private runs = new Map<number, Array<LoadedRun>>()

  constructor(db: Db) {
    this.db = db
    this.page = db.prepare<[number], Uint8Array>("select data from key_page where id = ?").pluck()
    this.insertPage = db.prepare<[number, Uint8Array]>("insert into key_page (id, data) values (?, ?)")
    this.insertRun = db.prepare<
      [number, number, number, number, number, Uint8Array, Uint8Array, KeyLayout],
      { id: number }
    >(
      `insert into key_run (environment_id, day, keys, first_sequence, last_sequence, fences, filter, layout)
       values (?, ?, ?, ?, ?, ?, ?, ?) returning id`
    )
    this.load()
  }

  load(): void {
    this.runs = new Map()
    for (const row of this.db.prepare<[], RunRow>("select * from key_run order by id").iterate())
      this.remember(row.environment_id, {
        id: row.id,
        day: row.day,
        keys: row.keys,
        layout: row.layout,
        fences: wordsOf(row.fences),
        filter: new KeyFilter(wordsOf(row.filter))
      })
  }

  /** Whether the marker id (16 bytes at `offset`) was received on `oldestDay` (days since 1970) or later. */
  has(environmentId: number, oldestDay: number, bytes: DataView, offset: number): boolean {
    const runs = this.runs.get(environmentId)
    if (runs === undefined) return false
    const key = this.key
    for (let word = 0; word < 4; word++) key[word] = bytes.getUint32(offset + word * 4)
    const hash = keyHash(key[0]!, key[1]!, key[2]!, key[3]!)
    const bits = keyBits(hash)
    for (let at = runs.length - 1; at >= 0; at--) {
      const run = runs[at]!
      if (run.day >= oldestDay && run.filter.mayHave(hash, bits) && this.search(run, key)) return true
    }
    return false
  }

  /** Call it inside a transaction, and `load` if that is rolled back. */
  insert(run: KeyRun): void {
    const { environmentId, day, keys, firstSequence, lastSequence, layout, fences, filter } = run
    const rest = [bytesOf(fences), bytesOf(filter), layout] as const
    const id = this.insertRun.get(environmentId, day, keys, firstSequence, lastSequence, ...rest)!.id
    for (const [page, data] of run.pages.entries()) this.insertPage.run(id * pagesPerRun + page, data)
    this.remember(environmentId, { id, day, keys, layout, fences, filter: new KeyFilter(filter) })
  }

  /** Drops all runs received before `oldestDay`, and answers how many marker ids they had. */
  drop(oldestDay: number): number {
    let keys = 0
    for (const [environmentId, runs] of this.runs) {
      for (const run of runs)
        if (run.day < oldestDay) {
          keys += run.keys
          this.remove(run)
        }
      this.runs.set(
        environmentId,
        runs.filter(({ day }) => day >= oldestDay)
      )
    }
    return keys
  }

  /** Drops every run of an environment, each in a transaction of its own; yields in between. */
  *removeAll(environmentId: number): Generator<void, void> {
    const runs = this.runs.get(environmentId) ?? []
    for (let run = runs[0]; run !== undefined; run = runs[0]) {
      const { id, fences } = run
      this.db.transaction(() => this.remove({ id, fences }))()
      runs.shift()
      yield
    }
    this.runs.delete(environmentId)
  }

  /**
   * Small runs of one environment and day, to merge into a larger one; null where there are none. Of the newest day, which will get more
   * runs, eight are merged at a time. Of a day that is over, all small runs are merged, so that a look-up searches few of them.
   */
  mergeable(): MergeableRuns | null {
    for (const [environmentId, runs] of this.runs) {
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
    }
    return null
  }

  /** Puts what `mergedRun` has made of runs into their place, in one transaction. */
  replace({ environmentId, ids }: MergeableRuns, merged: KeyRun): void {
    const isReplaced = ({ id }: LoadedRun) => ids.includes(id)
    this.db.transaction(() => {
      for (const run of (this.runs.get(environmentId) ?? []).filter(isReplaced)) this.remove(run)
      this.insert(merged)
    })()
    const rest = (this.runs.get(environmentId) ?? []).filter((run) => !isReplaced(run))
    this.runs.set(environmentId, rest)
  }

  private remember(environmentId: number, run: LoadedRun): void {
    const runs = this.runs.get(environmentId)
    if (runs === undefined) this.runs.set(environmentId, [run])
    else runs.push(run)
  }

  private remove({ id, fences }: Pick<LoadedRun, "id" | "fences">): void {
    this.db.prepare<[number]>("delete from key_run where id = ?").run(id)
    this.db
      .prepare<[number, number]>("delete from key_page where id between ? and ?")
      .run(id * pagesPerRun, id * pagesPerRun + fences.length / 2)
  }

  /**
   * A key is on the last page that starts at or before it. Fences hold 8 bytes only, so pages with equal fences are
   * told apart by their first record.
   */
  private search(run: LoadedRun, key: Uint32Array): boolean {
    const { fences, id, layout } = run
    const pageOf = (page: number): KeyPage => keyPage(layout, this.page.get(id * pagesPerRun + page))
    const firstPage = (isPast: (difference: number) => boolean): number => {
      let low = 0
      let high = fences.length / 2
      while (low < high) {
        const middle = (low + high) >>> 1
        if (isPast(fences[middle * 2]! - key[0]! || fences[middle * 2 + 1]! - key[1]!)) high = middle
        else low = middle + 1
      }
      return low
    }
    let last = firstPage((difference) => difference > 0) - 1
    if (last < 0) return false
    let first = Math.max(0, firstPage((difference) => difference >= 0) - 1)
    while (first < last) {
      const middle = (first + last + 1) >>> 1
      if (pageOf(middle).startsAfter(key)) last = middle - 1
      else first = middle
    }
    return pageOf(first).has(key)
  }
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
    const pages = row === undefined ? 0 : wordsOf(row.fences).length / 2
    for (let page = 0; page < pages; page++) {
      builder.addRecords(keyPage(row?.layout ?? null, pageOf.get(id * pagesPerRun + page)).records())
      if (page % pagesPerStep === 0) yield
    }
  }
  yield
  return builder.finish(environmentId, day, [first, last])
}
