import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { form as dictionaryForm } from "../../../../../src/adapters/sqlite/events/bytes/ColumnDictionary.ts"
import { keptShare, leastCompressed } from "../../../../../src/adapters/sqlite/events/bytes/CompressedBlock.ts"
import { form as integerForm } from "../../../../../src/adapters/sqlite/events/bytes/IntegerEncoding.ts"
import { leastPatterned } from "../../../../../src/adapters/sqlite/events/bytes/IntegerOffsets.ts"
import { markerIdBytes } from "../../../../../src/adapters/sqlite/events/bytes/MarkerId.ts"
import { frameRows } from "../../../../../src/adapters/sqlite/events/bytes/OffsetFrames.ts"
import { largestExact, tag } from "../../../../../src/adapters/sqlite/events/bytes/Scalars.ts"
import { formatVersion, openForWriting } from "../../../../../src/adapters/sqlite/events/file/EventsDb.ts"
import { columnsPerSegment } from "../../../../../src/adapters/sqlite/events/file/Segments.ts"
import { kind } from "../../../../../src/adapters/sqlite/events/format/Column.ts"
import { columnName } from "../../../../../src/adapters/sqlite/events/format/ColumnName.ts"
import { flag, frameHeaderBytes, frameVersion } from "../../../../../src/adapters/sqlite/events/format/FrameEncoder.ts"
import { salts } from "../../../../../src/adapters/sqlite/events/format/KeyFilter.ts"
import { packedLayout } from "../../../../../src/adapters/sqlite/events/format/KeyLayout.ts"
import { keyBytes } from "../../../../../src/adapters/sqlite/events/format/KeyPage.ts"
import { pagesPerRun } from "../../../../../src/adapters/sqlite/events/format/KeyRun.ts"
import { packedHeaderWords } from "../../../../../src/adapters/sqlite/events/format/PackedPage.ts"
import { packedPageBytes } from "../../../../../src/adapters/sqlite/events/format/PagePacker.ts"
import { quarter } from "../../../../../src/adapters/sqlite/events/format/TimeIndex.ts"
import { applicationId } from "../../../../../src/adapters/sqlite/events/steps/Format1.ts"
import { directory } from "../Store.ts"

const document = readFileSync(
  join(import.meta.dirname, "..", "..", "..", "..", "..", "docs", "file-format.md"),
  "utf8"
).replaceAll("`", "")

/** The first two cells of each row of the first table under a heading. */
const tableUnder = (heading: string): ReadonlyArray<readonly [first: string, second: string]> => {
  const [, below] = document.split(new RegExp(`^#+ ${heading}\\n`, "m"))
  assert.isDefined(below, heading)
  const [section] = below!.split(/^#/m)
  const rows = section!.split("\n").filter((line) => line.startsWith("|"))
  return rows.slice(2).map((row) => {
    const [, first, second] = row.split("|").map((cell) => cell.trim())
    return [first!, second!] as const
  })
}

const tagsUnder = (heading: string) =>
  Object.fromEntries(tableUnder(heading).map(([value, name]) => [name, Number(value)]))

describe("The document of the file format", () => {
  it.each<[string, Readonly<Record<string, number>>]>([
    ["Value tags", tag],
    ["Integer encodings", integerForm],
    ["Dictionary encodings", dictionaryForm],
    ["Column kinds", kind],
    ["Frame flags", flag]
  ])("lists under %s what the code has", (heading, tags) => assert.deepStrictEqual(tagsUnder(heading), { ...tags }))

  it("has the constants of the code", () =>
    assert.deepStrictEqual(Object.fromEntries(tableUnder("Constants").map(([name, value]) => [name, Number(value)])), {
      application_id: applicationId,
      "format version": formatVersion,
      "page size": 8192,
      "frame version": frameVersion,
      "frame header": frameHeaderBytes,
      "marker id": markerIdBytes,
      "compressed from": leastCompressed,
      "compressed below": keptShare,
      "rows to a frame": frameRows,
      "patterned from": leastPatterned,
      "largest exact": largestExact,
      "columns per segment": columnsPerSegment,
      "pages per run": pagesPerRun,
      "key record": keyBytes,
      "packed layout": packedLayout,
      "packed header": packedHeaderWords * 4,
      "packed page": packedPageBytes,
      quarter
    }))

  it("has the salts of the filter", () =>
    assert.deepStrictEqual(
      tableUnder("Filter salts").map(([word, salt]) => [Number(word), Number(salt)]),
      [...salts.entries()]
    ))

  it("says of every format what it changed", () =>
    assert.deepStrictEqual(
      tableUnder("Versions").map(([format]) => Number(format)),
      Array.from({ length: formatVersion }, (_, at) => at + 1)
    ))

  it("names the columns of a segment", () => {
    const always = ["time", "sequence", "unit", "session"]
    const { argument, property, ...fixed } = columnName
    const named = tableUnder("Column names").map(([name]) => name)
    assert.sameMembers(named, [...always, ...Object.values(fixed), argument(""), property("")])
    assert.deepStrictEqual(named.slice(0, 4), always)
  })

  it("has the tables of the file, column by column", () => {
    const { file, remove } = directory()
    const db = openForWriting(file)
    assert.strictEqual(db.pragma("page_size", { simple: true }), 8192)
    assert.strictEqual(db.pragma("application_id", { simple: true }), applicationId)
    const tables = db
      .prepare<[], string>("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
      .pluck()
      .all()
    assert.sameMembers(
      [...document.matchAll(/^### Table (\w+)$/gm)].map(([, name]) => name!),
      tables
    )
    for (const table of tables) {
      const columns = db.prepare<[string], { name: string; type: string }>(
        "select name, type from pragma_table_info(?)"
      )
      assert.deepStrictEqual(
        tableUnder(`Table ${table}`),
        columns.all(table).map(({ name, type }) => [name, type] as const),
        table
      )
    }
    db.close()
    remove()
  })
})
