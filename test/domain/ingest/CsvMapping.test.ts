// reads: docs/import.md
import { assert, describe, it } from "@effect/vitest"
import { parse } from "csv-parse/sync"
import { Schema } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { CsvMapping, markersOf, missingColumns, quotedCsv, unquotedCsv } from "../../../src/domain/ingest/CsvMapping.ts"
import { root } from "../../support/Server.ts"

const [, tables = ""] = readFileSync(join(root, "docs/import.md"), "utf8").split("## Tables")

/** The block of that kind in the section about tables. */
const block = (kind: string): string => new RegExp(`\`\`\`${kind}\\n([\\s\\S]*?)\`\`\``).exec(tables)?.[1] ?? ""

const rowsOf = (text: string): ReadonlyArray<Readonly<Record<string, string>>> => parse(text, { columns: true })

const decode = Schema.decodeUnknownSync(Schema.parseJson(CsvMapping))

describe("the mapping of a table", () => {
  it("gives the markers that its document shows", () => {
    const mapping = decode(block("json"))
    const markers = rowsOf(block("csv")).flatMap((row) => markersOf(mapping, row, 0))
    assert.deepStrictEqual(
      markers,
      block("ndjson")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    )
  })

  it("takes digits in a cell for an epoch time, however the cell is named", () => {
    const timeOf = (timestamp: unknown, cell: string) =>
      markersOf(decode(JSON.stringify({ markers: [{ type: "t", timestamp }] })), { c: cell }, 0)[0]!["timestamp"]
    for (const source of ["{c}", { column: "c" }, { column: "c", as: "number" }]) {
      assert.strictEqual(timeOf(source, "1793872800000"), 1_793_872_800_000)
      assert.strictEqual(timeOf(source, " 1793872800.5 "), 1_793_872_800.5)
    }
    assert.strictEqual(timeOf("{c}", "2026-03-02T10:00:00Z"), "2026-03-02T10:00:00Z")
  })

  it("knows no row in more cells than there are columns; empty ones on top, and fewer, are one", () => {
    const columns = ["name", "level"]
    const { rowOf } = quotedCsv
    assert.deepStrictEqual(rowOf(columns, ["Smith", "3"]), { name: "Smith", level: "3" })
    assert.deepStrictEqual(rowOf(columns, ["Smith", "3", "", " "]), { name: "Smith", level: "3" })
    assert.deepStrictEqual(rowOf(columns, ["Smith"]), { name: "Smith" })
    assert.deepStrictEqual(rowOf(columns, ["Smith", " Ada", "3"]), ["Smith", " Ada", "3"])
  })

  it("knows a row without quotes by a cell for each column alone", () => {
    const columns = ["name", "note"]
    const { rowOf } = unquotedCsv
    assert.deepStrictEqual(rowOf(columns, ["Smith", "3"]), { name: "Smith", note: "3" })
    for (const cells of [["Smith", "hello", ""], ["Smith"], []]) assert.deepStrictEqual(rowOf(columns, cells), cells)
  })

  it("reads cells as its document says", () => {
    const values = (source: unknown, cell: string): unknown =>
      markersOf(
        decode(JSON.stringify({ markers: [{ type: "t", timestamp: { daysAgo: 2 }, arguments: { a: source } }] })),
        { c: cell },
        3 * 86_400_000
      )[0]!["value"]
    const cases: ReadonlyArray<readonly [source: unknown, cell: string, value: object]> = [
      ["<{c}-{c}>", "x", { a: "<x-x>" }],
      [7, "x", { a: 7 }],
      [{ column: "c" }, "", { a: "" }],
      [{ column: "c", as: "number" }, "1.5", { a: 1.5 }],
      [{ column: "c", as: "number" }, "x", {}],
      [{ column: "c", as: "number" }, " ", {}],
      [{ column: "c", as: "boolean" }, "YES", { a: true }],
      [{ column: "c", as: "boolean" }, "1", { a: true }],
      [{ column: "c", as: "boolean" }, "no", { a: false }],
      [{ column: "c", as: "boolean" }, "", {}]
    ]
    for (const [source, cell, value] of cases)
      assert.deepStrictEqual(values(source, cell), value, JSON.stringify(source))
  })

  it("counts days back from the import, chooses rows without case, and names columns that are missing", () => {
    const mapping = decode(
      JSON.stringify({
        markers: [{ type: "t", timestamp: { daysAgo: 2 }, when: { column: "c", equals: "Yes" }, unitId: "{who}" }]
      })
    )
    assert.strictEqual(markersOf(mapping, { c: " yES ", who: "u" }, 3 * 86_400_000)[0]!["timestamp"], 86_400_000)
    assert.deepStrictEqual(markersOf(mapping, { c: "no" }, 0), [])
    assert.deepStrictEqual(missingColumns(mapping, ["c"]), ["who"])
  })
})
