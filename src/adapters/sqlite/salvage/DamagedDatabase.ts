import type Database from "better-sqlite3"
import { decodeToken } from "../pages/Token.ts"
import { PageSource } from "./PageSource.ts"
import { type StoredCell, UnreadableRecord, valuesIn } from "./StoredRecord.ts"
import { type TreeEntry, TreeWalk } from "./TreeWalk.ts"

interface SchemaRow {
  readonly name: string
  readonly sql: string | null
  readonly rootpage: number
}

/** The tables and indexes that a database of this version has, with the roots that they have in a new one. */
export const schemaOf = (database: Database.Database): ReadonlyArray<SchemaRow> =>
  database
    .prepare<[], SchemaRow>("select name, sql, rootpage from sqlite_schema where rootpage > 0 order by rootpage")
    .all()

/** What was lost of a table: pages that cannot be read, and entries of which a part cannot. */
export interface TreeLosses {
  readonly pages: number
  readonly entries: number
}

/** A row as its values are stored, in the order of the columns as SQLite keeps them. */
export interface StoredEntry {
  readonly rowid: bigint | null
  readonly values: ReadonlyArray<StoredCell>
  readonly isWhole: boolean
}

interface Options {
  readonly file: string
  /** Bytes of a page, where the file has no checksums that tell. */
  readonly pageSize: number
  /** Whether the database keeps a map of its pages, as `auto_vacuum` makes it. */
  readonly hasMap: boolean
  readonly expected: ReadonlyArray<SchemaRow>
}

/** Where in the first page SQLite keeps the number that `user_version` sets, and the application's. */
const userVersionAt = 60

/** A database that may be damaged anywhere, of which every table is read as far as that is possible. Nothing is changed. */
export class DamagedDatabase {
  readonly source: PageSource
  private readonly walk: TreeWalk
  private readonly roots: ReadonlyMap<string, number>

  constructor({ file, pageSize, hasMap, expected }: Options) {
    this.source = new PageSource(file, pageSize)
    this.walk = new TreeWalk(this.source, hasMap)
    const readable = this.rootsIn(expected)
    this.source.compare(this.tokenAt(readable.get("page_token")))
    this.roots = hasMap ? this.completed(readable, expected) : readable
  }

  /** Tables and indexes whose place is known. */
  get names(): ReadonlySet<string> {
    return new Set(this.roots.keys())
  }

  /** The number of the format as the file says it; null where its first page is not as it was written. */
  get userVersion(): number | null {
    const first = this.source.page(1)
    return first === null ? null : new DataView(first.buffer).getUint32(userVersionAt)
  }

  /** Every entry of a table or index that can be read. `onLost` is called for each page that cannot. */
  *entries(name: string, onLost: () => void): Generator<StoredEntry> {
    const root = this.roots.get(name)
    if (root === undefined) return onLost()
    for (const entry of this.walk.entries(root, onLost)) {
      const stored = read(entry)
      if (stored === null) onLost()
      else yield stored
    }
  }

  close(): void {
    this.source.close()
  }

  /** A row of the schema counts where it says of its table what this version says, so the first page may be damaged elsewhere. */
  private rootsIn(expected: ReadonlyArray<SchemaRow>): ReadonlyMap<string, number> {
    const known = new Map(expected.map(({ name, sql }) => [name, sql]))
    const roots = new Map<string, number>()
    const add = (entry: TreeEntry): void => {
      const [, name, , rootpage, sql] = read(entry)?.values ?? []
      if (typeof name !== "string" || typeof rootpage !== "number" || rootpage < 2) return
      if (known.has(name) && known.get(name) === sql) roots.set(name, rootpage)
    }
    for (const entry of this.walk.entries(1, () => undefined)) add(entry)
    return roots
  }

  /** Roots of a database with a map are in the order in which they were made, from page 3 on. */
  private completed(
    found: ReadonlyMap<string, number>,
    expected: ReadonlyArray<SchemaRow>
  ): ReadonlyMap<string, number> {
    const taken = new Set(found.values())
    const isRoot = this.walk.roots()
    const roots = new Map(found)
    for (const { name, rootpage } of expected)
      if (!roots.has(name) && !taken.has(rootpage) && isRoot.has(rootpage)) roots.set(name, rootpage)
    return roots
  }

  private tokenAt(root: number | undefined) {
    if (root === undefined) return null
    for (const entry of this.walk.entries(root, () => undefined)) {
      const token = read(entry)?.values[1]
      if (token instanceof Uint8Array) return decodeToken(token)
    }
    return null
  }
}

const read = ({ rowid, bytes, isWhole }: TreeEntry): StoredEntry | null => {
  try {
    return { rowid, values: valuesIn(bytes), isWhole }
  } catch (cause) {
    if (cause instanceof UnreadableRecord || cause instanceof RangeError) return null
    throw cause
  }
}
