import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { type SummedTable, sumsOf } from "../../sql/sums/RowSum.ts"
import * as summed from "../../sql/sums/SummedTables.ts"

/** Rows that are read at a time: documents may have a mebibyte and more. */
const sliceOf = ({ apart, name }: SummedTable): number =>
  apart !== undefined || name === summed.configurationVersions.name ? 20 : 2000

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const Rows = Schema.Array(Schema.Record({ key: Schema.String, value: Schema.Unknown }))

/** Gives the rows that there are their checksums, in order of their keys, some at a time. */
const fill = Effect.fnUntraced(function* (table: SummedTable) {
  const sql = yield* SqlClient.SqlClient
  const key = table.key.map(snake).join(", ")
  const places = table.key.map(() => "?").join(", ")
  const select = (where: string) => `select * from ${table.name} ${where} order by ${key} limit ${sliceOf(table)}`
  let [statement, from]: [string, ReadonlyArray<unknown>] = [select(""), []]
  for (;;) {
    const rows = yield* Effect.flatMap(sql.unsafe(statement, from), Schema.decodeUnknown(Rows))
    const last = rows.at(-1)
    if (last === undefined) return
    const sums = rows.map((row) => ({ ...row, ...sumsOf(table, row) }))
    const columns = Object.keys(sumsOf(table, last))
    const own = (name: string) => `value ->> '${name}'`
    const kept = [...table.key, ...columns]
    yield* sql.unsafe(
      `update ${table.name} set ${columns.map((name) => `${snake(name)} = ${own(name)}`).join(", ")} from json_each(?)
       where ${table.key.map((name) => `${table.name}.${snake(name)} = ${own(name)}`).join(" and ")}`,
      [JSON.stringify(sums, kept)]
    )
    from = table.key.map((name) => last[name])
    statement = select(`where (${key}) > (${places})`)
  }
})

/**
 * A checksum for each row of what decides what games get and who may do what. A later change of the columns that it covers has to
 * compute it anew.
 */
export const rowSums = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table configurations add column document_sum integer`
  for (const table of Object.values(summed)) {
    yield* sql.unsafe(`alter table ${table.name} add column row_sum integer`)
    yield* fill(table)
  }
})
