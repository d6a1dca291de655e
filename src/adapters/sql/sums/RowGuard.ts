import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { Context, Effect, Layer } from "effect"
import { MetadataDamaged } from "../../../ports/operations/MetadataDamaged.ts"
import { isSound, type SummedRow, type SummedTable, sumOf, sumsOf } from "./RowSum.ts"

/** Rows that were found to be damaged are named in the log once, up to so many. */
const mostNamed = 1000

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

type Rows = Effect.Effect<ReadonlyArray<SummedRow>, SqlError>

const make = Effect.map(SqlClient.SqlClient, (sql) => {
  const found = new Set<string>()

  const report = Effect.fnUntraced(function* ({ name, key }: SummedTable, row: SummedRow) {
    const place = `${name} ${key.map((column) => `${snake(column)} ${String(row[column])}`).join(", ")}`
    if (found.has(place) || found.size === mostNamed) return
    found.add(place)
    yield* Effect.logError(
      `metadata.sqlite is damaged, or something else has changed it: the row ${place} is not as it was written. ` +
        "What needs it is refused: put back both files of one backup"
    )
  })

  /** The rows of which each is as it was written; the others are reported. */
  const sound = (table: SummedTable, statement: Rows): Rows =>
    Effect.flatMap(statement, (rows) => {
      const damaged = rows.filter((row) => !isSound(table, row))
      return damaged.length === 0
        ? Effect.succeed(rows)
        : Effect.as(
            Effect.forEach(damaged, (row) => report(table, row), { discard: true }),
            rows.filter((row) => isSound(table, row))
          )
    })

  /** All rows, each as it was written. Dies with `MetadataDamaged` where one is not. */
  const demand = (table: SummedTable, statement: Rows): Rows =>
    Effect.flatMap(statement, (rows) =>
      Effect.flatMap(sound(table, Effect.succeed(rows)), (kept) =>
        kept.length === rows.length ? Effect.succeed(rows) : Effect.die(new MetadataDamaged())
      )
    )

  const putSums = (table: SummedTable, row: SummedRow) => {
    const sums = sumsOf(table, row)
    const set = Object.keys(sums).map((name) => `${snake(name)} = ?`)
    const where = table.key.map((name) => `${snake(name)} = ?`)
    const values = [...Object.values(sums), ...table.key.map((name) => row[name])]
    return sql.unsafe(`update ${table.name} set ${set.join(", ")} where ${where.join(" and ")}`, values)
  }

  /** Gives written rows, which the statement has to return whole, their checksums. */
  const seal = (table: SummedTable, statement: Rows): Rows =>
    sql.withTransaction(
      Effect.tap(statement, (rows) => Effect.forEach(rows, (row) => putSums(table, row), { discard: true }))
    )

  /** How many damaged rows were found since the start. */
  const damagedRows = Effect.sync(() => found.size)

  return {
    sound,
    demand,
    seal,
    damagedRows,
    /** The checksums of a row that is written whole, to be written with it. */
    sumsOf,
    /** The checksum of a row whose long column keeps its own. */
    sumOf: (table: SummedTable, row: SummedRow): Readonly<Record<string, number>> => ({ rowSum: sumOf(table, row) }),
    /** The columns that hold checksums. */
    columnsOf: ({ apart }: SummedTable): ReadonlyArray<string> =>
      apart === undefined ? ["row_sum"] : [snake(apart.sum), "row_sum"]
  }
})

/** Checks rows against their checksums when they are read. */
export class RowGuard extends Context.Tag("adapters/sql/RowGuard")<RowGuard, Effect.Effect.Success<typeof make>>() {}

export const RowGuardLive = Layer.effect(RowGuard, make)

const asItIs = (_: SummedTable, statement: Rows): Rows => statement

/** For an engine that keeps checksums of its own: rows have none, and are taken as they are read. */
export const RowGuardNone = Layer.succeed(RowGuard, {
  sound: asItIs,
  demand: asItIs,
  seal: asItIs,
  damagedRows: Effect.succeed(0),
  sumsOf: () => ({}),
  sumOf: () => ({}),
  columnsOf: () => []
})

/** Checks a table's rows when they are read, and gives those that are written their checksums. */
export const guarded = Effect.map(RowGuard, ({ demand, seal }) => (table: SummedTable) => ({
  read: (statement: Rows) => demand(table, statement),
  written: (statement: Rows) => seal(table, statement)
}))
