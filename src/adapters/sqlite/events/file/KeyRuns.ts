import type { Db } from "./Db.ts"
import { keyBits, KeyFilter, keyHash } from "../format/KeyFilter.ts"
import { keyPage, wholeRecords } from "../format/KeyLayout.ts"
import { type KeyPage, keyWords } from "../format/KeyPage.ts"
import { type KeyRun, pagesPerRun } from "../format/KeyRun.ts"
import { type LoadedRun, LoadedRuns } from "./LoadedRuns.ts"
import { type MergeableRuns, mergeableRuns, type RunRow } from "./RunMerging.ts"
import type { SummaryFilter } from "./SummaryFilters.ts"

const summarizedPages = 64
const noRecords = new Uint32Array()

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
  private readonly loaded: LoadedRuns
  private isWhole = false

  /** `summaryBytes`: what the summaries may take, 128 MiB where it is not said. */
  constructor(db: Db, summaryBytes?: number) {
    this.db = db
    this.loaded = new LoadedRuns(summaryBytes)
    this.page = db.prepare<[number], Uint8Array>("select data from key_page where id = ?").pluck()
    this.insertPage = db.prepare<[number, Uint8Array]>("insert into key_page (id, data) values (?, ?)")
    this.insertRun = db.prepare<
      [number, number, number, number, number, Uint8Array, Uint8Array, number | null],
      { id: number }
    >(
      `insert into key_run (environment_id, day, keys, first_sequence, last_sequence, fences, filter, layout)
       values (?, ?, ?, ?, ?, ?, ?, ?) returning id`
    )
    this.load()
  }

  /**
   * What was written may not be stored: all runs are read again before they are asked for. To be called after a transaction that was rolled
   * back, when the file may be unreadable too.
   */
  distrust(): void {
    this.isWhole = false
  }

  /** The runs as they are in the file. */
  private get runs(): LoadedRuns {
    if (!this.isWhole) this.load()
    return this.loaded
  }

  private load(): void {
    this.loaded.clear()
    for (const row of this.db.prepare<[], RunRow>("select * from key_run order by id").iterate()) {
      const { id, day, keys, layout } = row
      const [fences, filter] = [wordsOf(row.fences), new KeyFilter(wordsOf(row.filter))]
      this.loaded.add(row.environment_id, { id, day, keys, layout, fences, filter, summaries: [] })
    }
    this.isWhole = true
  }

  /** Whether the marker id (16 bytes at `offset`) was received on `oldestDay` (days since 1970) or later. */
  has(environmentId: number, oldestDay: number, bytes: DataView, offset: number): boolean {
    const key = this.key
    for (let word = 0; word < 4; word++) key[word] = bytes.getUint32(offset + word * 4)
    const hash = keyHash(key[0]!, key[1]!, key[2]!, key[3]!)
    const bits = keyBits(hash)
    const runs = this.runs.candidates(environmentId, hash, bits)
    for (let at = runs.length - 1; at >= 0; at--) {
      const run = runs[at]!
      if (run.day >= oldestDay && run.filter.mayHave(hash, bits) && this.search(run, key)) return true
    }
    return false
  }

  /** Call it inside a transaction, and `distrust` if that is rolled back. */
  insert(run: KeyRun): void {
    this.store(run, this.runs.summarize(run.hashes))
  }

  /** Drops all runs received before `oldestDay`, and answers how many marker ids they had. */
  drop(oldestDay: number): number {
    let keys = 0
    for (const environmentId of this.runs.environments) {
      for (const run of this.runs.of(environmentId))
        if (run.day < oldestDay) {
          keys += run.keys
          this.remove(run)
        }
      this.runs.keep(environmentId, ({ day }) => day >= oldestDay)
    }
    return keys
  }

  /** Drops every run of an environment, each in a transaction of its own; yields in between. */
  *removeAll(environmentId: number): Generator<void, void> {
    const first = () => this.runs.of(environmentId)[0]
    for (let run = first(); run !== undefined; run = first()) {
      const removed = run
      this.db.transaction(() => this.remove(removed))()
      this.runs.keep(environmentId, (each) => each !== removed)
      yield
    }
  }

  /** Small runs of one environment and day, to merge into a larger one; null where there are none. */
  mergeable(): MergeableRuns | null {
    for (const environmentId of this.runs.environments) {
      const found = mergeableRuns(environmentId, this.runs.of(environmentId))
      if (found !== null) return found
    }
    return null
  }

  /** Puts what `mergedRun` has made of runs into their place, in one transaction. */
  replace({ environmentId, ids }: MergeableRuns, merged: KeyRun): void {
    const replaced = this.runs.of(environmentId).filter(({ id }) => ids.includes(id))
    const summaries = replaced.map((run) => run.summaries)
    const areSummarized = summaries.every((own) => own.length > 0)
    let isStored = false
    try {
      this.db.transaction(() => {
        for (const run of replaced) this.remove(run)
        this.store(merged, areSummarized ? [...new Set(summaries.flat())] : [])
      })()
      isStored = true
    } finally {
      if (!isStored) this.distrust()
    }
    this.runs.keep(environmentId, (run) => !replaced.includes(run))
  }

  /** Reads a run that was asked for often into a summary; yields every few milliseconds. Answers whether there was one. */
  *summarize(): Generator<void, boolean> {
    const found = this.runs.unsummarized()
    if (found === null) return false
    const { run, summary } = found
    let keys = 0
    for (let page = 0; page < run.fences.length / 2; page++) {
      if (page % summarizedPages === 0) yield
      if (!this.runs.isWanted(found)) return true
      const records = wholeRecords(run.layout, () => this.page.get(run.id * pagesPerRun + page)) ?? noRecords
      for (let at = 0; at < records.length; at += keyWords, keys++)
        summary.add(keyHash(records[at]!, records[at + 1]!, records[at + 2]!, records[at + 3]!))
    }
    if (keys === run.keys) this.runs.noteSummarized(found)
    else run.askedBefore = Infinity
    return true
  }

  private store(run: KeyRun, summaries: ReadonlyArray<SummaryFilter>): void {
    const { environmentId, day, keys, firstSequence, lastSequence, layout, fences } = run
    const rest = [bytesOf(fences), bytesOf(run.filter), layout] as const
    const id = this.insertRun.get(environmentId, day, keys, firstSequence, lastSequence, ...rest)!.id
    for (const [page, data] of run.pages.entries()) this.insertPage.run(id * pagesPerRun + page, data)
    const filter = new KeyFilter(run.filter)
    this.loaded.add(environmentId, { id, day, keys, layout, fences, filter, summaries })
  }

  private remove({ id, fences }: LoadedRun): void {
    this.db.prepare<[number]>("delete from key_run where id = ?").run(id)
    this.db
      .prepare<[number, number]>("delete from key_page where id between ? and ?")
      .run(id * pagesPerRun, id * pagesPerRun + fences.length / 2)
  }

  private pageOf({ id, layout }: LoadedRun, page: number): KeyPage {
    return keyPage(layout, this.page.get(id * pagesPerRun + page))
  }

  /**
   * A key is on the last page that starts at or before it. Fences hold 8 bytes only, so pages with equal fences are
   * told apart by their first record.
   */
  private search(run: LoadedRun, key: Uint32Array): boolean {
    const { fences } = run
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
      if (this.pageOf(run, middle).startsAfter(key)) last = middle - 1
      else first = middle
    }
    return this.pageOf(run, first).has(key)
  }
}
