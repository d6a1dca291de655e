import { DuckDBInstance } from "@duckdb/node-api"
import { assert, describe, it } from "@effect/vitest"
import { Chunk, Effect, Stream } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ParquetFilesNode } from "../../../src/adapters/node/Parquet.ts"
import { type TableColumn, columnsOf, type TableRow } from "../../../src/domain/analytics/table/Table.ts"
import { ParquetFiles } from "../../../src/ports/analytics/ParquetFiles.ts"

const written = (columns: ReadonlyArray<TableColumn>, groups: ReadonlyArray<ReadonlyArray<TableRow>>) =>
  Effect.flatMap(ParquetFiles, (files) => Stream.runCollect(files.write(columns, Stream.fromIterable(groups)))).pipe(
    Effect.map((parts) => Buffer.concat(Chunk.toReadonlyArray(parts))),
    Effect.provide(ParquetFilesNode)
  )

/** What DuckDB reads in the file. */
const read = (bytes: Uint8Array, sql: string) =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "parquet-"))),
    (folder) =>
      Effect.promise(async () => {
        const file = join(folder, "table.parquet")
        writeFileSync(file, bytes)
        const connection = await (await DuckDBInstance.create()).connect()
        return (await connection.runAndReadAll(sql.replace("TABLE", `'${file}'`))).getRowsJson()
      }),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
  )

const columns = columnsOf({
  name: "text",
  count: "integer",
  share: "number",
  isNew: "boolean",
  at: "instant",
  rest: "json"
})

describe("Parquet files", () => {
  it.effect("are read by DuckDB as they were written, missing values among them", () =>
    Effect.gen(function* () {
      const bytes = yield* written(columns, [
        [['ä\u0000"', Number.MAX_SAFE_INTEGER, 0.1, true, Date.parse("2026-03-02T00:00:00.123Z"), '{"a":[1,"x"]}']],
        [[null, null, null, null, null, null]]
      ])
      assert.deepStrictEqual(yield* read(bytes, "select *, rest->>'$.a[1]' from TABLE"), [
        ['ä\u0000"', "9007199254740991", 0.1, true, "2026-03-02 00:00:00.123", '{"a":[1,"x"]}', "x"],
        [null, null, null, null, null, null, null]
      ])
      const described = yield* read(bytes, "select column_name, column_type from (describe select * from TABLE)")
      assert.deepStrictEqual(
        described.map((row) => row.join(" ")),
        ["name VARCHAR", "count BIGINT", "share DOUBLE", "isNew BOOLEAN", "at TIMESTAMP", "rest VARCHAR"]
      )
    })
  )

  it.effect("hold many groups of rows in their order, also where one has very long texts", () =>
    Effect.gen(function* () {
      const groups = Array.from({ length: 30 }, (_, group) =>
        Array.from({ length: 300 }, (__, row): TableRow => [
          group === 7 ? "x".repeat(5000) : `name ${row}`,
          group * 300 + row,
          row / 7,
          row % 2 === 0,
          row,
          "{}"
        ])
      )
      const bytes = yield* written(columns, groups)
      const found = yield* read(
        bytes,
        "select count(*)::int, sum(count)::int, bool_and(count = file_row_number), max(length(name))::int from read_parquet(TABLE, file_row_number = true)"
      )
      assert.deepStrictEqual(found, [[9000, (8999 * 9000) / 2, true, 5000]])
      assert.deepStrictEqual(
        (yield* read(bytes, "select distinct row_group_id from parquet_metadata(TABLE)")).length > 3,
        true
      )
    })
  )

  it.effect("may have no rows", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* read(yield* written(columns, []), "select count(*)::int from TABLE"), [[0]])
    })
  )
})
