import { Effect, String as Text } from "effect"
import { MigrationRefused } from "../../../domain/operations/MigrationRefused.ts"
import { reasonOf } from "../../local/ReasonOf.ts"
import type { StoredValue } from "../../sql/RowDigest.ts"
import { isSound } from "../../sql/sums/RowSum.ts"
import * as summed from "../../sql/sums/SummedTables.ts"
import { trustedNote } from "../../sql/operations/TrustedTimes.ts"
import type { Db } from "../events/file/Db.ts"

/** A row by the names of its columns. */
export type StoredRow = Readonly<Record<string, StoredValue>>

/** Tables about the two files themselves and how they are written, which databases of another kind have no use for. */
const ofFiles = new Set(["effect_sql_migrations", "file_pair", "noted_sequences", "page_token", "repairs", "set_aside"])

/** Tables that the target counts by itself while other rows are written. */
export const counted: ReadonlySet<string> = new Set(["assignment_totals"])

/** Columns that hold the checksums of rows. */
const sums = new Set(["row_sum", "document_sum"])

/** Rows of a table that are no others' business. */
const partOf: Readonly<Record<string, string>> = { file_notes: `name = '${trustedNote}'` }

const parentsOf =
  'select "from" as own, "table" as parent, "to" as id from pragma_foreign_key_list(?) where on_delete = \'CASCADE\''

/**
 * Which rows of a table are to be brought along: those whose records are there, and are to be brought along in turn. A server deletes the
 * others, which belonged to removed records, in the background.
 */
const condition = (database: Db, table: string): string => {
  const parents = database.prepare<[string], { own: string; parent: string; id: string }>(parentsOf).all(table)
  const belonging = parents.map(
    ({ own, parent, id }) =>
      `("${own}" is null or "${own}" in (select "${id}" from "${parent}" where ${condition(database, parent)}))`
  )
  return [partOf[table] ?? "true", ...belonging].join(" and ")
}

/** A table of the metadata with the columns that it brings along. */
export interface SourceTable {
  readonly name: string
  readonly columns: ReadonlyArray<string>
  /** Which of its rows, in SQL. */
  readonly where: string
  /** Whether its rows have a place of their own, which is the order they were written in. */
  readonly hasRowid: boolean
  readonly rows: number
}

const columnsOf = (database: Db, table: string): ReadonlyArray<string> =>
  database.prepare<[string], string>("select name from pragma_table_info(?)").pluck().all(table)

/** Every table of the metadata that is to be brought along. */
export const sourceTables = (database: Db): ReadonlyArray<SourceTable> =>
  database
    .prepare<[], { name: string; wr: number }>(
      "select name, wr from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite_%' order by name"
    )
    .all()
    .filter(({ name }) => !ofFiles.has(name))
    .map(({ name, wr }) => {
      const where = condition(database, name)
      return {
        name,
        columns: columnsOf(database, name).filter((column) => !sums.has(column)),
        where,
        hasRowid: wr === 0,
        rows: Number(database.prepare(`select count(*) from "${name}" where ${where}`).pluck().get())
      }
    })

const snake = (names: ReadonlyArray<string>) => names.map((name) => Text.camelToSnake(name))

/** What is wrong with a row: it is not as it was written, or the target cannot hold one of its texts. */
const flawOf = ({ name }: SourceTable, row: StoredRow): string | null => {
  const table = Object.values(summed).find((each) => each.name === name)
  const named = Object.fromEntries(Object.entries(row).map(([column, value]) => [Text.snakeToCamel(column), value]))
  const key = (table?.key ?? Object.keys(named).slice(0, 2)).map((column) => String(named[column])).join(" ")
  const place = `The row of ${name} (${snake(table?.key ?? Object.keys(row).slice(0, 2)).join(", ")} ${key})`
  if (table !== undefined && !isSound(table, named))
    return `${place} is not as it was written: put back both files of one backup`
  const [column] = Object.entries(row).find(([, value]) => typeof value === "string" && value.includes("\0")) ?? []
  return column === undefined
    ? null
    : `${place} has the character U+0000 in ${column}, which PostgreSQL cannot hold: change it in the server first`
}

const mostRows = 500
const mostBytes = 4_000_000

const sizeOf = (row: StoredRow): number =>
  Object.values(row).reduce<number>(
    (sum, value) => sum + (typeof value === "object" || typeof value === "string" ? (value?.length ?? 0) : 8),
    0
  )

/** The rows of a table from a place (0: the first) on, in groups that are small enough for memory. */
export function* rowsFrom(
  database: Db,
  table: SourceTable,
  place: number
): Generator<ReadonlyArray<StoredRow> | MigrationRefused, void, undefined> {
  const { name, where, hasRowid } = table
  const statement = database.prepare<[number], StoredRow>(
    `select * from "${name}" where ${where} ${hasRowid ? "order by rowid" : ""} limit -1 offset ?`
  )
  let [rows, bytes]: [Array<StoredRow>, number] = [[], 0]
  for (const row of statement.iterate(place)) {
    const flaw = flawOf(table, row)
    if (flaw !== null) return yield new MigrationRefused({ message: flaw })
    rows.push(row)
    bytes += sizeOf(row)
    if (rows.length < mostRows && bytes < mostBytes) continue
    yield rows
    ;[rows, bytes] = [[], 0]
  }
  if (rows.length > 0) yield rows
}

/** The next of what a generator reads; a file that cannot be read refuses. */
export const pulled = <A>(generator: Generator<A, void, undefined>): Effect.Effect<A | null, MigrationRefused> =>
  Effect.flatMap(
    Effect.try({
      try: () => generator.next(),
      catch: (cause) =>
        new MigrationRefused({
          message: `The data folder cannot be read (${reasonOf(cause)}): put back both files of one backup`
        })
    }),
    ({ done, value }) => {
      if (done === true) return Effect.succeed(null)
      return value instanceof MigrationRefused ? Effect.fail(value) : Effect.succeed(value)
    }
  )

/** The highest ids that tables have given, by the name of the table. */
export const givenIds = (database: Db): ReadonlyArray<{ readonly name: string; readonly last: number }> =>
  database
    .prepare<[], { name: string; last: number }>("select name, seq as last from sqlite_sequence order by name")
    .all()
