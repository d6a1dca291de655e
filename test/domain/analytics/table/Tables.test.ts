import { assert, describe, it } from "@effect/vitest"
import { parse } from "csv-parse/sync"
import { FastCheck as fc } from "effect"
import { csvHeading, csvOf, csvRows } from "../../../../src/domain/analytics/table/Csv.ts"
import { listTable } from "../../../../src/domain/analytics/table/ListTable.ts"
import { ndjsonRows } from "../../../../src/domain/analytics/table/Ndjson.ts"
import { columnsOf } from "../../../../src/domain/analytics/table/Table.ts"
import { acceptedFormat } from "../../../../src/domain/analytics/table/TableFormat.ts"
import { anyCharacter } from "../../../support/AnyText.ts"

const columns = columnsOf({ name: "text", count: "integer", at: "instant", isNew: "boolean", rest: "json" })

const someRow = fc.tuple(
  fc.option(fc.string({ unit: anyCharacter }).filter((text) => text !== "")),
  fc.option(fc.maxSafeInteger()),
  fc.option(fc.integer({ min: 0, max: 4e12 })),
  fc.option(fc.boolean()),
  fc.option(fc.json())
)

describe("tables as files", () => {
  it("are read by another program as they were written in CSV, but for what a spreadsheet would calculate", () => {
    fc.assert(
      fc.property(fc.array(someRow, { maxLength: 8 }), (rows) => {
        const read: ReadonlyArray<Record<string, string>> = parse(csvHeading(columns) + csvRows(columns, rows), {
          columns: true,
          record_delimiter: "\r\n"
        })
        const safe = (text: string) => (/^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text)
        assert.deepStrictEqual(
          read,
          rows.map(([name, count, at, isNew, rest]) => ({
            name: safe(name ?? ""),
            count: String(count ?? ""),
            at: at === null ? "" : new Date(at).toISOString(),
            isNew: String(isNew ?? ""),
            rest: safe(rest ?? "")
          }))
        )
      })
    )
  })

  it("are objects, one a line, in NDJSON, with JSON as itself", () => {
    fc.assert(
      fc.property(fc.array(someRow, { maxLength: 8 }), (rows) => {
        const lines = ndjsonRows(columns, rows).split("\n").slice(0, -1)
        assert.deepStrictEqual(
          lines.map((line) => JSON.parse(line)),
          rows.map(([name, count, at, isNew, rest]) => ({
            name,
            count: count === null ? null : JSON.parse(JSON.stringify(count)),
            at: at === null ? null : new Date(at).toISOString(),
            isNew,
            rest: rest === null ? null : JSON.parse(rest)
          }))
        )
      })
    )
  })

  it("quote what CSV needs quoted, and leave numbers alone that begin with a minus", () => {
    assert.strictEqual(
      csvOf([["a,b", 'say "hi"', "two\r\nlines", -1, null, true, "=SUM(A1)"]]),
      `"a,b","say ""hi""","two\r\nlines",-1,,true,'=SUM(A1)\r\n`
    )
  })

  it("hold an instant that no calendar knows as a number", () => {
    assert.strictEqual(csvRows(columnsOf({ at: "instant" }), [[9e15]]), "9000000000000000\r\n")
  })
})

describe("a list as a table", () => {
  it("has a column for each name that appears, with those of objects within, and JSON for what is neither", () => {
    const { columns: named, rows } = listTable([
      { id: 1, owner: { name: "Ada", address: { city: { code: 7 } } }, tags: ["a"], mixed: 1, share: 1 },
      { id: 2, owner: null, late: true, mixed: "x", share: 0.5, empty: {} }
    ])
    assert.deepStrictEqual(
      named.map(({ name, kind }) => `${name} ${kind}`),
      [
        "id integer",
        "owner.name text",
        "owner.address.city json",
        "tags json",
        "mixed json",
        "share number",
        "owner text",
        "late boolean",
        "empty json"
      ]
    )
    assert.deepStrictEqual(rows, [
      [1, "Ada", '{"code":7}', '["a"]', "1", 1, null, null, null],
      [2, null, null, null, '"x"', 0.5, null, true, "{}"]
    ])
  })

  it("of plain values has one column, and an empty one none", () => {
    assert.deepStrictEqual(listTable(["a", "b"]), { columns: columnsOf({ value: "text" }), rows: [["a"], ["b"]] })
    assert.deepStrictEqual(listTable([]), { columns: [], rows: [] })
  })
})

describe("the format that a caller accepts", () => {
  it.each([
    ["", null],
    ["*/*", null],
    ["application/json, text/csv;q=0.5", null],
    ["text/csv", "csv"],
    ["TEXT/CSV; header=present", "csv"],
    ["application/json;q=0.5, application/x-ndjson", "ndjson"],
    ["text/html, application/jsonl;q=0.9, */*;q=0.8", "ndjson"],
    ["application/vnd.apache.parquet, text/csv", "parquet"],
    ["text/csv;q=0", null],
    ["image/png", null]
  ])("%s is %s", (accept, format) => {
    assert.strictEqual(acceptedFormat(accept), format)
  })
})
