import { readMarkerId } from "../bytes/MarkerId.ts"
import { keyBytes, pageKeys, pagesPerRun } from "../format/KeyRun.ts"
import type { ColumnCache } from "./ColumnCache.ts"
import type { Db } from "./Db.ts"

interface Bounds {
  readonly first_sequence: number
  readonly last_sequence: number
}

interface Run extends Bounds {
  readonly id: number
  readonly keys: number
}

/** The wanted sequences by their low 32 bits, which is all that a run's records keep of a sequence. */
type Wanted = Map<number, number>

/** A run gets a table only if at least one in this many of its sequences has a record. */
const mostPerKey = 4

const spanOf = ({ first_sequence: first, last_sequence: last }: Bounds): number => last - first + 1

/** The entry of a sequence without a page; the numbers of pages are below it. */
const noPage = 65_535

const hasTable = (run: Run): boolean => spanOf(run) <= mostPerKey * run.keys && run.keys < noPage * pageKeys

const smallest = (numbers: ReadonlyArray<number>): number => numbers.reduce((a, b) => Math.min(a, b), Infinity)

const wantedOf = ({ first_sequence: first, last_sequence: last }: Bounds, sequences: ReadonlyArray<number>): Wanted => {
  const own: Wanted = new Map()
  for (const sequence of sequences) if (sequence >= first && sequence <= last) own.set(sequence % 2 ** 32, sequence)
  return own
}

const viewOf = (data: Uint8Array): DataView => new DataView(data.buffer, data.byteOffset, data.byteLength)

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
      `select id, keys, first_sequence, last_sequence from key_run
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
  private search({ id }: Run, own: Wanted, found: Map<number, string>): void {
    const isWanted = new Uint8Array(65_536)
    for (const low of own.keys()) isWanted[low % 65_536] = 1
    for (const { data } of this.pages.iterate(id * pagesPerRun, (id + 1) * pagesPerRun - 1)) {
      const view = viewOf(data)
      for (let at = 0; at < data.length; at += keyBytes) {
        if (isWanted[view.getUint16(at + 18)] === 0) continue
        const sequence = own.get(view.getUint32(at + 16))
        if (sequence !== undefined) found.set(sequence, readMarkerId(data, at))
      }
    }
  }

  /** Reads the pages on which the sequences stand. */
  private lookUp(
    { id, first_sequence: first }: Run,
    table: Uint16Array,
    own: Wanted,
    found: Map<number, string>
  ): void {
    for (const [low, sequence] of own) {
      const page = table[sequence - first]!
      const data = page === noPage ? undefined : this.page.get(id * pagesPerRun + page)?.data
      if (data === undefined) continue
      const view = viewOf(data)
      for (let at = 0; at < data.length; at += keyBytes)
        if (view.getUint32(at + 16) === low) found.set(sequence, readMarkerId(data, at))
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
      const view = viewOf(data)
      for (let at = 0; at < data.length; at += keyBytes)
        table[(view.getUint32(at + 16) - lowOfFirst) >>> 0] = id - firstPage
    }
    return words
  }
}
