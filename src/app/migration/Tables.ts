import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { makeTableCopy } from "../../adapters/postgres/operations/TableCopy.ts"
import type { FolderMigration } from "../../adapters/postgres/operations/FolderMigration.ts"
import { RowDigest } from "../../adapters/sql/RowDigest.ts"
import type { SourceFolder } from "../../adapters/sqlite/operations/SourceFolder.ts"
import {
  counted,
  givenIds,
  pulled,
  rowsFrom,
  type SourceTable,
  sourceTables
} from "../../adapters/sqlite/operations/SourceTables.ts"
import { MigrationRefused } from "../../domain/operations/MigrationRefused.ts"
import type { Pace } from "./Pace.ts"

const differs = (what: string) =>
  new MigrationRefused({
    message: `${what} is not the same in the folder and in PostgreSQL: drop both databases, make them anew, and begin again`
  })

/** Brings every table of the metadata into PostgreSQL, and compares what has arrived. */
export const makeTables = (source: SourceFolder, migration: FolderMigration, { begins, reached }: Pace) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { tables, store, digest, saveIds } = yield* makeTableCopy(migration)
    const own = new Map(sourceTables(source.metadata).map((table) => [table.name, table]))
    const targets = yield* tables
    const known = new Map(targets.map((target) => [target.name, target.columns]))

    const unknown = [...own.values()].flatMap(({ name, columns, rows }) => {
      if (rows === 0) return []
      const target = known.get(name)
      return target === undefined
        ? [name]
        : columns.filter((each) => !target.has(each)).map((each) => `${name}.${each}`)
    })
    if (unknown.length > 0)
      return yield* new MigrationRefused({
        message: `PostgreSQL has no place for ${unknown.join(", ")} of the folder. Nothing was changed`
      })

    /** In the order in which their rows may be written. */
    const wanted: ReadonlyArray<SourceTable> = targets.flatMap(({ name }) => {
      const table = own.get(name)
      return table === undefined || counted.has(name) ? [] : [table]
    })
    const total = wanted.reduce((sum, { rows }) => sum + rows, 0)

    const copyTable = (table: SourceTable, before: number) =>
      Effect.gen(function* () {
        let place = yield* migration.reached(`table ${table.name}`)
        const rows = rowsFrom(source.metadata, table, place)
        for (;;) {
          const group = yield* pulled(rows)
          if (group === null || group instanceof MigrationRefused) return
          yield* store(table.name, table.columns, group, place)
          place += group.length
          yield* reached(before + place, total)
        }
      })

    const copy = Effect.gen(function* () {
      yield* begins(`${total} rows of metadata`)
      let before = 0
      for (const table of wanted) {
        yield* copyTable(table, before)
        before += table.rows
      }
      yield* saveIds(givenIds(source.metadata).filter(({ name }) => own.has(name)))
    })

    const digestOf = (table: SourceTable, keeps: (row: Readonly<Record<string, unknown>>) => boolean) =>
      Effect.gen(function* () {
        const sum = new RowDigest()
        const rows = rowsFrom(source.metadata, table, 0)
        for (;;) {
          const group = yield* pulled(rows)
          if (group === null || group instanceof MigrationRefused) return sum
          for (const row of group) if (keeps(row)) sum.add(table.columns.map((column) => row[column]))
        }
      })

    /** Rows that count nothing stay behind where the target counts by itself. */
    const keepsOf = (name: string) => (row: Readonly<Record<string, unknown>>) =>
      !counted.has(name) || row["count"] !== 0

    const check = Effect.gen(function* () {
      yield* begins("comparison of the metadata")
      let done = 0
      for (const table of own.values()) {
        if (!known.has(table.name)) continue
        const expected = yield* digestOf(table, keepsOf(table.name))
        const arrived = yield* digest(table.name, table.columns)
        if (expected.text !== arrived.text) return yield* differs(`The table ${table.name}`)
        done += table.rows
        yield* reached(done, total)
      }
    })

    return { copy, check: Effect.provideService(check, SqlClient.SqlClient, sql), rows: total }
  })
