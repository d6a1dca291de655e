import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema, Stream } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { csvRecords } from "../../src/cli/ImportRecords.ts"
import { csvRows, openSource, SourceUnusable } from "../../src/cli/ImportSource.ts"
import { CsvMapping } from "../../src/domain/ingest/CsvMapping.ts"
import { withFolder } from "../support/Server.ts"

const refusal = (effect: Effect.Effect<unknown, { readonly message: string }, NodeContext.NodeContext>) =>
  Effect.runPromise(Effect.map(Effect.flip(Effect.provide(effect, NodeContext.layer)), ({ message }) => message))

describe("rows of CSV", () => {
  const rows = (file: string) =>
    Effect.flatMap(openSource(file, false), (source) =>
      Effect.map(Stream.runCollect(csvRows(source)), (all) => [...all])
    )

  it.each([
    ['a,b\n1,2\n3,"4\n5,6\n', "the quote that opens in line 3 never closes"],
    [`a\n"${"x,\n".repeat(2_000_000)}`, "the quote that opens in line 2 does not close within 4 MiB"],
    ['a,b\n1,2\n5" disk,3\n', "a quote stands within a cell without quotes in line 3"]
  ])("with a quote or a row that does not end are refused, case %#", (text, fault) =>
    withFolder(async (folder) => {
      writeFileSync(join(folder, "levels.csv"), text)
      assert.strictEqual(await refusal(rows(join(folder, "levels.csv"))), `levels.csv is not valid CSV: ${fault}`)
    })
  )

  it("with cells that belong to no column are rejected, and a column that is not there is told before any", () =>
    withFolder(async (folder) => {
      const mapping = Schema.decodeUnknownSync(CsvMapping)({
        markers: [{ type: "Level", timestamp: "{time}", unitId: "{player}" }]
      })
      const records = (text: string) => {
        writeFileSync(join(folder, "levels.csv"), text)
        const opened = openSource(join(folder, "levels.csv"), false)
        return Effect.flatMap(opened, (source) => Stream.runCollect(csvRecords(source, mapping, 0, () => Effect.void)))
      }
      const found = await Effect.runPromise(
        Effect.provide(records("player,time\nSmith, Ada,1\nAda,1\n"), NodeContext.layer)
      )
      assert.deepStrictEqual(
        [...found].map(({ markers, read }) => [markers.length, markers[0], read.record]),
        [
          [1, ["Smith", " Ada", "1"], 1],
          [1, { type: "Level", timestamp: 1, userId: "Ada", value: {}, properties: {} }, 2]
        ]
      )
      // The first row is shorter than the columns, or there is none.
      assert.strictEqual(await refusal(records("player,when\nAda\n")), "levels.csv has no column time")
      assert.strictEqual(await refusal(records("player,when\n")), "levels.csv has no column time")
      const short = await Effect.runPromise(Effect.provide(records("player,time\nAda\nAda,1\n"), NodeContext.layer))
      assert.strictEqual(short.length, 2)
    }))

  it("of a file that cannot be read to its end are not all of them", () =>
    withFolder(async (folder) => {
      writeFileSync(join(folder, "levels.csv"), "a\n1\n")
      const failing = Effect.flatMap(openSource(join(folder, "levels.csv"), false), (source) => {
        const bytes = Stream.concat(source.bytes, Stream.fail(new SourceUnusable({ message: "Cannot read it" })))
        return Stream.runCollect(csvRows({ ...source, bytes }))
      })
      assert.strictEqual(await refusal(failing), "Cannot read it")
    }))

  it.each([
    ["a,b\r\n1,2\n3,4\n", "utf8"],
    ["a,b\n1,2\r\n3,4\r\n", "utf8"],
    ["a,b\r1,2\r3,4", "utf8"],
    ["\uFEFFa,b\r\n1,2\n3,4\r\n", "utf16le"]
  ] as const)("end as each line does, whatever the first one ends with: %j", (text, encoding) =>
    withFolder(async (folder) => {
      writeFileSync(join(folder, "levels.csv"), Buffer.from(text, encoding))
      const found = await Effect.runPromise(Effect.provide(rows(join(folder, "levels.csv")), NodeContext.layer))
      assert.deepStrictEqual(found, [
        { a: "1", b: "2" },
        { a: "3", b: "4" }
      ])
    })
  )

  it.each(["utf8", "utf16le"] as const)("are read in %s behind a byte order mark", (encoding) =>
    withFolder(async (folder) => {
      writeFileSync(join(folder, "levels.csv"), Buffer.from('\uFEFF"a",b\n"1, ""x""",2\n', encoding))
      const found = await Effect.runPromise(Effect.provide(rows(join(folder, "levels.csv")), NodeContext.layer))
      assert.deepStrictEqual(found, [{ a: '1, "x"', b: "2" }])
    })
  )
})
