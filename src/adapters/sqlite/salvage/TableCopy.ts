import type Database from "better-sqlite3"
import type { DamagedDatabase, StoredEntry } from "./DamagedDatabase.ts"
import type { StoredCell } from "./StoredRecord.ts"

/** What became of one table. */
export interface CopiedTable {
  readonly name: string
  /** Rows that are in the new database. */
  readonly rows: number
  /** Pages that could not be read; how many rows they held is not known. */
  readonly lostPages: number
  /** Rows of which only a part could be read, or that contradict others. */
  readonly lostRows: number
}

interface Column {
  readonly name: string
  readonly type: string
  readonly pk: number
  readonly dflt_value: string | null
}

/** The columns of a table or index in the order in which its entries keep them. */
interface Layout {
  readonly table: string
  readonly columns: ReadonlyArray<string>
  /** The column that the rowid is; null where there is none. */
  readonly rowid: string | null
  /** Values of columns that an older version did not know. */
  readonly defaults: ReadonlyArray<StoredCell>
}

/** Bytes of rows that are written at once. */
const portionBytes = 16_000_000

const columnsOf = (database: Database.Database, table: string): ReadonlyArray<Column> =>
  database.prepare<[string], Column>("select name, type, pk, dflt_value from pragma_table_info(?)").all(table)

const isWithoutRowid = (database: Database.Database, table: string): boolean =>
  database.prepare<[string], number>("select wr from pragma_table_list where name = ?").pluck().get(table) === 1

const keyFirst = (columns: ReadonlyArray<Column>): ReadonlyArray<Column> => [
  ...columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk),
  ...columns.filter(({ pk }) => pk === 0)
]

const layoutOf = (database: Database.Database, table: string): Layout => {
  const columns = columnsOf(database, table)
  const hasNoRowid = isWithoutRowid(database, table)
  const keys = columns.filter(({ pk }) => pk > 0)
  const [key] = keys
  const stored = hasNoRowid ? keyFirst(columns) : columns
  const isAlias = !hasNoRowid && keys.length === 1 && key?.type.toLowerCase() === "integer"
  const valueOf = ({ dflt_value: text }: Column): StoredCell =>
    text === null ? null : (database.prepare<[], StoredCell>(`select ${text}`).pluck().get() ?? null)
  return {
    table,
    columns: stored.map(({ name }) => name),
    rowid: isAlias ? (key?.name ?? null) : null,
    defaults: stored.map(valueOf)
  }
}

/** Indexes that hold every column of their table, which has no rowids: a second copy of all its rows. */
const secondCopies = (database: Database.Database, table: string): ReadonlyArray<readonly [name: string, Layout]> => {
  if (!isWithoutRowid(database, table)) return []
  const all = columnsOf(database, table)
  const key = all.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk)
  return database
    .prepare<[string], string>("select name from pragma_index_list(?) where origin = 'c'")
    .pluck()
    .all(table)
    .flatMap((name) => {
      const indexed = database.prepare<[string], string>("select name from pragma_index_info(?)").pluck().all(name)
      const columns = [...indexed, ...key.map((column) => column.name).filter((each) => !indexed.includes(each))]
      return columns.length === all.length
        ? [[name, { table, columns, rowid: null, defaults: columns.map(() => null) }] as const]
        : []
    })
}

const quoted = (name: string): string => `"${name}"`

const bytesOf = (values: ReadonlyArray<StoredCell>): number =>
  values.reduce(
    (sum: number, value) => sum + (value instanceof Uint8Array || typeof value === "string" ? value.length : 8),
    0
  )

class RowWriter {
  rows = 0
  refused = 0
  private readonly database: Database.Database
  private readonly layout: Layout
  private readonly insert
  private waiting: Array<ReadonlyArray<StoredCell>> = []
  private bytes = 0

  constructor(database: Database.Database, layout: Layout) {
    this.database = database
    this.layout = layout
    const names = layout.columns.map(quoted).join(", ")
    this.insert = database.prepare<Array<StoredCell>>(
      `insert or ignore into ${quoted(layout.table)} (${names}) values (${layout.columns.map(() => "?").join(", ")})`
    )
  }

  add({ rowid, values }: StoredEntry): void {
    const { columns, defaults } = this.layout
    const row = columns.map((name, at) =>
      name === this.layout.rowid ? rowid : at < values.length ? (values[at] ?? null) : (defaults[at] ?? null)
    )
    this.waiting.push(row)
    this.bytes += bytesOf(row)
    if (this.bytes > portionBytes) this.flush()
  }

  flush(): void {
    const rows = this.waiting
    this.waiting = []
    this.bytes = 0
    this.database.transaction(() => {
      for (const row of rows) this.put(row)
    })()
  }

  private put(row: ReadonlyArray<StoredCell>): void {
    try {
      if (this.insert.run(...row).changes > 0) this.rows++
      else this.refused++
    } catch (cause) {
      // A value that its column cannot hold: the bytes are of something else.
      if (!(cause instanceof Error && "code" in cause && String(cause.code).startsWith("SQLITE_"))) throw cause
      if (!/^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG)/.test(String(cause.code))) throw cause
      this.refused++
    }
  }
}

/** Copies the rows of a table that can be read. `onCut` gets each row of which only the beginning could. */
export const copyTable = (
  damaged: DamagedDatabase,
  target: Database.Database,
  table: string,
  onCut: (row: StoredEntry) => void = () => undefined
): CopiedTable => {
  const own = new RowWriter(target, layoutOf(target, table))
  let [lostPages, cut] = [0, 0]
  const onLost = () => {
    lostPages++
  }
  for (const entry of damaged.entries(table, onLost)) {
    if (entry.isWhole) own.add(entry)
    else {
      cut++
      onCut(entry)
    }
  }
  own.flush()
  let rows = own.rows
  if (lostPages + cut > 0)
    for (const [index, layout] of secondCopies(target, table)) {
      const second = new RowWriter(target, layout)
      let lostOfIndex = 0
      for (const entry of damaged.entries(index, () => lostOfIndex++)) if (entry.isWhole) second.add(entry)
      second.flush()
      rows += second.rows
      // The index is whole, so nothing is missing.
      if (lostOfIndex === 0) [lostPages, cut] = [0, 0]
    }
  return { name: table, rows, lostPages, lostRows: cut + own.refused }
}
