import type { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { Effect, String, Struct } from "effect"
import type { SummedRow } from "./sums/RowSum.ts"

/** The types of columns that rows are passed as. */
export type ColumnType = "text" | "bigint"

/** Numbers of rows for which SQLite has statements: a few, so that those that are prepared are found again, and each that is frequent. */
const sizes = [128, 64, 32, ...Array.from({ length: 16 }, (_, at) => 16 - at)]

type Answer = Effect.Effect<ReadonlyArray<SummedRow>, SqlError>

const inPieces = <Row>(rows: ReadonlyArray<Row>): ReadonlyArray<ReadonlyArray<Row>> => {
  const pieces: Array<ReadonlyArray<Row>> = []
  for (let from = 0; from < rows.length; from += pieces.at(-1)?.length ?? 0) {
    const size = sizes.find((each) => each <= rows.length - from) ?? 1
    pieces.push(rows.slice(from, from + size))
  }
  return pieces
}

/**
 * A statement that takes any number of rows, and answers what it returns, with the names of its columns as they are. `text` makes it of a
 * table for `from`, called `given`, that has the rows as columns of these fields in snake_case; it has no other parameters.
 *
 * PostgreSQL unpacks the rows from one text of JSON. SQLite takes each value as a parameter, which costs half as much there, in as many
 * statements as the sizes above ask for, which are one transaction.
 */
export const forRows = <Row extends object>(
  sql: SqlClient.SqlClient,
  types: Readonly<Record<keyof Row & string, ColumnType>>,
  text: (given: string) => string
): ((rows: ReadonlyArray<Row>) => Answer) => {
  const fields = Struct.keys(types)
  const named = (of: (field: string, at: number) => string) =>
    fields.map((field, at) => `${of(field, at)} as "${String.camelToSnake(field)}"`).join(", ")
  const run = (statement: string, values: ReadonlyArray<unknown>): Answer =>
    sql.unsafe<SummedRow>(statement, values).withoutTransform
  return sql.onDialectOrElse({
    pg: () => {
      const typed = fields.map((field) => `"${field}" ${types[field]}`).join(", ")
      const unpacked = `json_to_recordset($1::json) as unpacked (${typed})`
      const statement = text(`(select ${named((field) => `"${field}"`)} from ${unpacked}) as given`)
      return (rows: ReadonlyArray<Row>) => run(statement, [JSON.stringify(rows)])
    },
    orElse: () => {
      const columns = named((_, at) => `column${at + 1}`)
      const row = `(${fields.map(() => "?").join(", ")})`
      const statements = new Map<number, string>(
        sizes.map((size) => [
          size,
          text(`(select ${columns} from (values ${Array.from({ length: size }, () => row).join(", ")})) as given`)
        ])
      )
      const runPiece = (rows: ReadonlyArray<Row>): Answer => {
        const values: Array<unknown> = []
        for (const each of rows) for (const field of fields) values.push(each[field])
        return run(statements.get(rows.length) ?? "", values)
      }
      return (rows: ReadonlyArray<Row>) => {
        const pieces = inPieces(rows)
        const [only] = pieces
        if (only === undefined) return Effect.succeed([])
        if (pieces.length === 1) return runPiece(only)
        return sql.withTransaction(Effect.map(Effect.forEach(pieces, runPiece), (answers) => answers.flat()))
      }
    }
  })
}
