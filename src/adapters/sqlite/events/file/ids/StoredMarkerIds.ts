import { groupBy } from "../../../../../domain/analytics/filter/Grouping.ts"
import { type KeyLayout, keyPage } from "../../format/KeyLayout.ts"
import { pagesPerRun } from "../../format/KeyRun.ts"
import type { ColumnCache } from "../ColumnCache.ts"
import type { Db } from "../Db.ts"
import { layoutIn } from "../EventsDb.ts"

interface Bounds {
  readonly first_sequence: number
  readonly last_sequence: number
}

interface Run extends Bounds {
  readonly id: number
  readonly keys: number
  readonly pages: number
  readonly layout: KeyLayout
}

/** The wanted sequences by their low 32 bits, which is all that a run's records keep of a sequence. */
type Wanted = Map<number, number>

/** A run gets a table only if at least one in this many of its sequences has a record. */
const mostPerKey = 4

const spanOf = ({ first_sequence: first, last_sequence: last }: Bounds): number => last - first + 1

/** The entry of a sequence without a page; the numbers of pages are below it. */
const noPage = 65_535

const hasTable = (run: Run): boolean => spanOf(run) <= mostPerKey * run.keys && run.pages <= noPage

const smallest = (numbers: ReadonlyArray<number>): number => numbers.reduce((a, b) => Math.min(a, b), Infinity)

const wantedOf = ({ first_sequence: first, last_sequence: last }: Bounds, sequences: ReadonlyArray<number>): Wanted => {
  const own: Wanted = new Map()
  for (const sequence of sequences) if (sequence >= first && sequence <= last) own.set(sequence % 2 ** 32, sequence)
  return own
}

/** The table as 16-bit numbers: the cache keeps it as 32-bit words. */
const numbersOf = ({ buffer, byteOffset, length }: Uint32Array): Uint16Array =>
  new Uint16Array(buffer, byteOffset, 2 * length)

/**
 * Marker ids by sequence. They are stored in the order of the ids, so the first question reads the whole run that a sequence belongs to;
 * the second makes a table of the page on which each sequence of the run stands, which is kept in the cache.
 */
export class StoredMarkerIds {
  private readonly cache: ColumnCache | null
  private readonly runs
  private readonly pages
  private readonly page

  constructor(db: Db, cache: ColumnCache | null) {
    this.cache = cache
    this.runs = db.prepare<[number, number, number], Run>(
      `select id, keys, first_sequence, last_sequence, length(fences) / 8 as pages, ${layoutIn(db)} from key_run
       where environment_id = ? and last_sequence >= ? and first_sequence <= ?`
    )
    this.pages = db.prepare<[number, number], { id: number; data: Uint8Array }>(
      "select id, data from key_page where id between ? and ?"
    )
    this.page = db.prepare<[number], { data: Uint8Array }>("select data from key_page where id = ?")
  }

  /** The ids that are still known. */
  of(environmentId: number, sequences: ReadonlyArray<number>): ReadonlyMap<number, string> {
    const found = new Map<number, string>()
    const [least, most] = [smallest(sequences), -smallest(sequences.map((sequence) => -sequence))]
    for (const run of sequences.length === 0 ? [] : this.runs.all(environmentId, least, most)) {
      const own = wantedOf(run, sequences)
      if (own.size === 0) continue
      const table = this.tableOf(run)
      if (table === null) this.search(run, own, found)
      else this.lookUp(run, numbersOf(table), own, found)
    }
    return found
  }

  /** Reads every record of the run. */
  private search({ id, layout }: Run, own: Wanted, found: Map<number, string>): void {
    const isWanted = new Uint8Array(65_536)
    for (const low of own.keys()) isWanted[low % 65_536] = 1
    for (const { data } of this.pages.iterate(id * pagesPerRun, (id + 1) * pagesPerRun - 1)) {
      const page = keyPage(layout, data)
      const sequences = page.sequences()
      for (let index = 0; index < sequences.length; index++) {
        const low = sequences[index]!
        if (isWanted[low & 65_535] === 0) continue
        const sequence = own.get(low)
        if (sequence !== undefined) found.set(sequence, page.id(index))
      }
    }
  }

  /** Reads the pages on which the sequences stand, each once: of many sequences several stand on the same. */
  private lookUp(
    { id, layout, first_sequence: first }: Run,
    table: Uint16Array,
    own: Wanted,
    found: Map<number, string>
  ): void {
    const byPlace = groupBy(own, ([, sequence]) => table[sequence - first]!)
    for (const [place, wanted] of byPlace) {
      if (place === noPage) continue
      const page = keyPage(layout, this.page.get(id * pagesPerRun + place)?.data)
      const sequences = page.sequences()
      for (const [low, sequence] of wanted) {
        const index = sequences.indexOf(low)
        if (index >= 0) found.set(sequence, page.id(index))
      }
    }
  }

  /** Null for the first question, and where there is none. */
  private tableOf(run: Run): Uint32Array | null {
    const { cache } = this
    if (cache === null || !hasTable(run)) return null
    // Numbers of runs are used again, but not for a run of the same markers.
    const key = `marker ids ${run.id} ${run.keys} ${run.first_sequence} ${run.last_sequence}`
    const known = cache.get(key)
    if (known instanceof Uint32Array && known.length > 0) return known
    const table = known === undefined ? new Uint32Array(0) : this.made(run)
    cache.set(key, table)
    return table.length === 0 ? null : table
  }

  private made(run: Run): Uint32Array {
    const words = new Uint32Array(Math.ceil(spanOf(run) / 2))
    const table = numbersOf(words).fill(noPage)
    const [firstPage, lowOfFirst] = [run.id * pagesPerRun, run.first_sequence % 2 ** 32]
    for (const { id, data } of this.pages.iterate(firstPage, firstPage + pagesPerRun - 1)) {
      const sequences = keyPage(run.layout, data).sequences()
      const page = id - firstPage
      for (let index = 0; index < sequences.length; index++) table[(sequences[index]! - lowOfFirst) >>> 0] = page
    }
    return words
  }
}
