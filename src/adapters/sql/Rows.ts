import { Model, SqlClient, SqlSchema } from "@effect/sql"
import type { Statement } from "@effect/sql"
import { Effect, Schema } from "effect"
import type { SqlError } from "@effect/sql/SqlError"
import { rowsInPortions } from "./RowsInTurns.ts"
import type { SummedRow } from "./sums/RowSum.ts"
import { noneIfDuplicate } from "./Violations.ts"

export const Flag = Model.BooleanFromNumber
export const Instant = Schema.DateTimeUtc
export const JsonText = <A, I, R>(schema: Schema.Schema<A, I, R>) => Schema.parseJson(schema)

type Encoded = Readonly<Record<string, string | number | null | Uint8Array>>

type Rows = Effect.Effect<ReadonlyArray<SummedRow>, SqlError>

/** What stands between a table and those who use it: `read` checks the rows of a statement, `written` completes those that it wrote. */
export interface RowPasses {
  readonly read: (statement: Rows) => Rows
  readonly written: (statement: Rows) => Rows
}

const unguarded: RowPasses = { read: (statement) => statement, written: (statement) => statement }

/**
 * The statements common to all tables that have an `id`: `Row` and `NewRow` (a row before it has its id) describe the
 * columns.
 */
export const tableOf = <A, I extends Encoded & { readonly id: number | string }, N, NI extends Encoded>(
  name: string,
  Row: Schema.Schema<A, I>,
  NewRow: Schema.Schema<N, NI>,
  { read, written }: RowPasses = unguarded
) =>
  Effect.map(SqlClient.SqlClient, (sql) => {
    const table = sql(name)
    const insert = SqlSchema.single({
      Request: NewRow,
      Result: Row,
      execute: (row) => written(sql`insert into ${table} ${sql.insert(row)} returning *`)
    })
    const insertUnlessTaken = (...columns: ReadonlyArray<keyof NI & string>) => {
      const taken = sql.csv(columns.map((column) => sql`${sql(column)}`))
      const insertNew = SqlSchema.findOne({
        Request: NewRow,
        Result: Row,
        execute: (row) =>
          written(sql`insert into ${table} ${sql.insert(row)} on conflict (${taken}) do nothing returning *`)
      })
      return (row: N) => Effect.orDie(insertNew(row))
    }
    const update = SqlSchema.single({
      Request: Row,
      Result: Row,
      execute: (row) => written(sql`update ${table} set ${sql.update(row, ["id"])} where id = ${row.id} returning *`)
    })
    const findWhere = (where: Statement.Fragment) =>
      Effect.orDie(
        SqlSchema.findOne({
          Request: Schema.Void,
          Result: Row,
          execute: () => read(sql`select * from ${table} where ${where}`)
        })(undefined)
      )
    const readRows = rowsInPortions(Row, read)
    const listWhere = (where: Statement.Fragment) => readRows(sql`select * from ${table} where ${where} order by id`)
    const removeWhere = (where: Statement.Fragment) =>
      Effect.asVoid(Effect.orDie(sql`delete from ${table} where ${where}`))
    return {
      sql,
      insert: (row: N) => Effect.orDie(insert(row)),
      /** Inserts the row, or answers none if another row has the same values in the given columns. */
      insertUnlessTaken,
      update: (row: A) => Effect.orDie(update(row)),
      /** Updates the row, or answers none if another row has the same values in a unique index. */
      updateUnlessTaken: (row: A) => noneIfDuplicate(sql, update(row)),
      findWhere,
      listWhere,
      removeWhere
    }
  })
