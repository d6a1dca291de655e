import type { PageSource } from "./PageSource.ts"
import { rowidAt, UnreadableRecord, varintAt } from "./StoredRecord.ts"

/** Kinds of pages (sqlite.org/fileformat2, chapter 1.6). */
const interiorIndex = 2
const interiorTable = 5
const leafIndex = 10
const leafTable = 13

/** A row of a table or an entry of an index. */
export interface TreeEntry {
  /** Null in an index, and in a table without rowids. */
  readonly rowid: bigint | null
  readonly bytes: Uint8Array
  /** Whether all of its bytes could be read: a page that goes on with them may be damaged. */
  readonly isWhole: boolean
}

interface ReadPage {
  readonly children: ReadonlyArray<number>
  readonly entries: ReadonlyArray<TreeEntry>
}

/** Where a map of pages says that a page is a child of another one: its kind, then the parent. */
const childOfTree = 5
const mapEntryBytes = 5

/** Trees are never deeper; what seems so is a circle that damage has made. */
const mostLevels = 64

/** Reads tables and indexes from their pages, past pages that are damaged. */
export class TreeWalk {
  private readonly source: PageSource
  private readonly hasMap: boolean
  private children: ReadonlyMap<number, ReadonlyArray<number>> | null = null

  /** `hasMap`: the database keeps a map of who refers to each page, so that what is below a damaged page is found. */
  constructor(source: PageSource, hasMap: boolean) {
    this.source = source
    this.hasMap = hasMap
  }

  /** Every entry below the root that can be read; `onLost` is called with each page that cannot. */
  *entries(root: number, onLost: (page: number) => void): Generator<TreeEntry> {
    const seen = new Set<number>()
    const open: Array<readonly [page: number, depth: number]> = [[root, 0]]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [page, depth] = next
      if (seen.has(page) || depth > mostLevels) continue
      seen.add(page)
      const read = this.read(page, this.source.page(page))
      if (read === null) onLost(page)
      for (const child of (read?.children ?? this.childrenOf(page)).toReversed()) open.push([child, depth + 1])
      if (read !== null) yield* read.entries
    }
  }

  /** What can be read of a single page although it is not as it was written. */
  entriesAsTheyAre(page: number): ReadonlyArray<TreeEntry> {
    return this.read(page, this.source.asItIs(page))?.entries ?? []
  }

  /** The roots of all trees that the map knows. */
  roots(): ReadonlySet<number> {
    const roots = new Set<number>([1])
    if (this.hasMap) for (const { page, kind } of this.map()) if (kind === 1) roots.add(page)
    return roots
  }

  private read(page: number, bytes: Uint8Array | null): ReadPage | null {
    if (bytes === null) return null
    try {
      return this.parse(bytes, page === 1 ? 100 : 0)
    } catch (cause) {
      if (cause instanceof UnreadableRecord || cause instanceof RangeError) return null
      throw cause
    }
  }

  private parse(bytes: Uint8Array, header: number): ReadPage {
    const view = new DataView(bytes.buffer)
    const kind = view.getUint8(header)
    const isLeaf = kind === leafTable || kind === leafIndex
    const isTable = kind === leafTable || kind === interiorTable
    if (!isLeaf && !isTable && kind !== interiorIndex) throw new UnreadableRecord(`There are no pages of kind ${kind}`)
    const cells = view.getUint16(header + 3)
    const pointers = header + (isLeaf ? 8 : 12)
    const children: Array<number> = []
    const entries: Array<TreeEntry> = []
    for (let cell = 0; cell < cells; cell++) {
      let at = view.getUint16(pointers + cell * 2)
      if (!isLeaf) {
        children.push(view.getUint32(at))
        at += 4
      }
      if (kind !== interiorTable) entries.push(this.entry(bytes, view, at, isTable))
    }
    if (!isLeaf) children.push(view.getUint32(header + 8))
    return { children, entries }
  }

  private entry(bytes: Uint8Array, view: DataView, at: number, isTable: boolean): TreeEntry {
    const [length, afterLength] = varintAt(bytes, at)
    const [rowid, start] = isTable ? rowidAt(bytes, afterLength) : [null, afterLength]
    const usable = this.source.pageSize
    const most = isTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23
    if (length <= most) {
      if (start + length > usable) throw new UnreadableRecord("An entry goes beyond its page")
      return { rowid, bytes: bytes.subarray(start, start + length), isWhole: true }
    }
    const least = Math.floor(((usable - 12) * 32) / 255) - 23
    const preferred = least + ((length - least) % (usable - 4))
    const local = preferred <= most ? preferred : least
    if (length > this.source.count * usable) throw new UnreadableRecord("An entry is longer than the database")
    const whole = new Uint8Array(length)
    whole.set(bytes.subarray(start, start + local))
    const read = this.overflow(whole, local, view.getUint32(start + local))
    return { rowid, bytes: whole.subarray(0, read), isWhole: read === length }
  }

  /** Reads the rest of an entry from the pages that go on with it; answers how far it got. */
  private overflow(into: Uint8Array, from: number, first: number): number {
    const seen = new Set<number>()
    let [at, next] = [from, first]
    while (at < into.length && !seen.has(next)) {
      seen.add(next)
      const bytes = this.source.page(next)
      if (bytes === null) break
      const part = bytes.subarray(4, 4 + Math.min(into.length - at, bytes.length - 4))
      into.set(part, at)
      at += part.length
      next = new DataView(bytes.buffer).getUint32(0)
    }
    return at
  }

  private childrenOf(parent: number): ReadonlyArray<number> {
    if (!this.hasMap) return []
    if (this.children === null) {
      const children = new Map<number, Array<number>>()
      for (const { page, kind, parent: of } of this.map()) {
        if (kind !== childOfTree) continue
        const known = children.get(of)
        if (known === undefined) children.set(of, [page])
        else known.push(page)
      }
      this.children = children
    }
    return this.children.get(parent) ?? []
  }

  /** Page 2 is the first part of the map, and tells of the pages behind it, up to the next part. */
  private *map(): Generator<{ readonly page: number; readonly kind: number; readonly parent: number }> {
    const told = Math.floor(this.source.pageSize / mapEntryBytes)
    for (let part = 2; part <= this.source.count; part += told + 1) {
      const bytes = this.source.page(part)
      if (bytes === null) continue
      const view = new DataView(bytes.buffer)
      for (let at = 0; at < told && part + 1 + at <= this.source.count; at++)
        yield {
          page: part + 1 + at,
          kind: view.getUint8(at * mapEntryBytes),
          parent: view.getUint32(at * mapEntryBytes + 1)
        }
    }
  }
}
