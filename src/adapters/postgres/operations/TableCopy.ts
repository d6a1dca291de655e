import { SqlClient } from "@effect/sql"
import { Effect, Schema, Stream } from "effect"
import { groupBy } from "../../../domain/analytics/filter/Grouping.ts"
import { RowDigest, type StoredValue } from "../../sql/RowDigest.ts"
import type { FolderMigration } from "./FolderMigration.ts"

const Columns = Schema.Array(Schema.Struct({ table: Schema.String, column: Schema.String }))
const Parents = Schema.Array(Schema.Struct({ table: Schema.String, parent: Schema.String }))

type Row = Readonly<Record<string, StoredValue>>

/** A table of the database with its columns. */
export interface TargetTable {
  readonly name: string
  readonly columns: ReadonlySet<string>
}

/** Every table after those that its rows refer to. */
const inOrder = (
  tables: ReadonlyArray<TargetTable>,
  parents: ReadonlyMap<string, ReadonlyArray<string>>
): ReadonlyArray<TargetTable> => {
  const ordered = new Map<string, TargetTable>()
  const visit = (table: TargetTable): void => {
    for (const parent of tables.filter(({ name }) => parents.get(table.name)?.includes(name) === true))
      if (parent.name !== table.name && !ordered.has(parent.name)) visit(parent)
    ordered.set(table.name, table)
  }
  for (const table of tables) visit(table)
  return [...ordered.values()]
}

/** Writes and compares rows of metadata, whatever their table. */
export const makeTableCopy = (migration: FolderMigration) =>
  Effect.map(SqlClient.SqlClient, (sql) => {
    const tables = Effect.gen(function* () {
      const columns = yield* Effect.flatMap(
        sql`select table_name as "table", column_name as "column" from information_schema.columns
          where table_schema = current_schema() order by table_name, ordinal_position`,
        Schema.decodeUnknown(Columns)
      )
      const keys = yield* Effect.flatMap(
        sql`select conrelid::regclass::text as "table", confrelid::regclass::text as parent from pg_constraint
          where contype = 'f'
          union select objoid::regclass::text, substr(description, length('goes with ') + 1) from pg_description
          where classoid = 'pg_class'::regclass and description like 'goes with %' order by 1, 2`,
        Schema.decodeUnknown(Parents)
      )
      const named = groupBy(columns, ({ table }) => table)
      const parents = new Map(
        [...groupBy(keys, ({ table }) => table)].map(([table, own]) => [table, own.map(({ parent }) => parent)])
      )
      const all = [...named].map(([name, own]) => ({ name, columns: new Set(own.map(({ column }) => column)) }))
      return inOrder(all, parents)
    }).pipe(Effect.catchTag("ParseError", Effect.die))

    /** Writes the rows, of which the first is at this place in its table, and says so in the same transaction. */
    const store = (table: string, columns: ReadonlyArray<string>, rows: ReadonlyArray<Row>, place: number) =>
      sql.withTransaction(
        Effect.gen(function* () {
          // Replaces the rows that a new table comes with by those of the folder.
          if (place === 0) yield* sql`delete from ${sql(table)}`
          const names = columns.map((column) => `"${column}"`).join(", ")
          const places = rows
            .map((_, row) => `(${columns.map((__, at) => `$${row * columns.length + at + 1}`).join(", ")})`)
            .join(", ")
          const values = rows.flatMap((row) => columns.map((column) => row[column] ?? null))
          yield* sql.unsafe(`insert into "${table}" (${names}) values ${places}`, values)
          yield* migration.reach(`table ${table}`, place + rows.length)
        })
      )

    /** What the rows of a table add up to, without all of them being in memory. */
    const digest = (table: string, columns: ReadonlyArray<string>) =>
      Stream.runFold(
        sql.unsafe<Row>(`select ${columns.map((column) => `"${column}"`).join(", ")} from "${table}"`).stream,
        new RowDigest(),
        (sum, row) => {
          sum.add(columns.map((column) => row[column]))
          return sum
        }
      )

    /** The highest ids that tables have given. */
    const saveIds = (given: ReadonlyArray<{ readonly name: string; readonly last: number }>) =>
      Effect.forEach(
        given,
        (each) => sql`insert into counters ${sql.insert(each)}
          on conflict (name) do update set last = greatest(counters.last, excluded.last)`,
        { discard: true }
      )

    return { tables, store, digest, saveIds }
  })
