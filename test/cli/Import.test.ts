import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, Option, Stream } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { csvMapping, exportMapping } from "../../src/cli/ImportMapping.ts"
import { ndjsonRecords } from "../../src/cli/ImportRecords.ts"
import { openSource, standardInput } from "../../src/cli/ImportSource.ts"
import { refusedRecords } from "../../src/cli/RefusedRecords.ts"
import { environmentNamed } from "../../src/domain/access/NamedEnvironment.ts"
import { EnvironmentId } from "../../src/domain/Ids.ts"
import { recordsOf as exportedRecords } from "../support/ingest/ExportRecords.ts"
import { root, withFolder } from "../support/Server.ts"

type Needs = NodeContext.NodeContext

const refusal = (effect: Effect.Effect<unknown, { readonly message: string }, Needs>) =>
  Effect.runPromise(Effect.map(Effect.flip(Effect.provide(effect, NodeContext.layer)), ({ message }) => message))

const marker = { type: "Level", timestamp: "{time}", arguments: { level: { column: "level", as: "number" } } }

const mappings: ReadonlyArray<readonly [given: unknown, said: string]> = [
  [
    { markers: [{ ...marker, arguments: { level: { column: "level", as: "integer" } } }] },
    'markers.0.arguments.level.as: expected "string", "number" or "boolean", and not "integer"'
  ],
  [
    { markers: [{ ...marker, timestamp: { column: "time", as: "integer" } }] },
    'markers.0.timestamp.as: expected "string", "number" or "boolean", and not "integer"'
  ],
  [{ markers: [{ type: "Level" }] }, "markers.0.timestamp: is missing"],
  [
    { markers: [{ ...marker, timestamp: { daysAgo: "1" } }] },
    'markers.0.timestamp.daysAgo: expected number, and not "1"'
  ],
  ["{", "is no JSON: line 1, column 2: expected a name in double quotes or }"]
]

describe("a mapping", () => {
  it.each(mappings)("%j is told field by field", (given, said) =>
    withFolder(async (folder) => {
      const file = join(folder, "mapping.json")
      writeFileSync(file, typeof given === "string" ? given : JSON.stringify(given))
      const message = await refusal(csvMapping(file))
      assert.include(message, said)
      assert.notInclude(message, "; ")
    })
  )

  it("of an export is told with all that is wrong", () =>
    withFolder(async (folder) => {
      const file = join(folder, "mapping.json")
      writeFileSync(file, JSON.stringify({ types: { a: 1 }, player: [] }))
      const message = await refusal(exportMapping("posthog", Option.some(file)))
      assert.match(
        message,
        /types\.a: expected string or null, and not 1; player: is unexpected|player: .*; types\.a: /
      )
    }))
})

const recordsOf = (file: string) =>
  Effect.flatMap(openSource(file, false), (source) => Stream.runCollect(ndjsonRecords(source, () => Effect.void)))

describe("markers in lines", () => {
  it("are no CSV: it asks for a mapping", async () => {
    const csv = join(root, "test/fixtures/exports/posthog.csv")
    assert.match(await refusal(recordsOf(csv)), /^posthog\.csv looks like CSV: give --mapping/)
    await withFolder(async (folder) => {
      for (const line of ["time;level\n1;2\n", "time\tlevel\n", '"time","level"\n', "1,2\n"]) {
        writeFileSync(join(folder, "levels"), line)
        assert.match(await refusal(recordsOf(join(folder, "levels"))), /^levels looks like CSV/, line)
      }
    })
  })

  it("are told as UTF-16 where they are, and not as CSV", () =>
    withFolder(async (folder) => {
      const text = Buffer.from(`\ufeff{"eventName":"Login","distinctId":"ada"}\n`, "utf16le")
      for (const bytes of [text, gzipSync(text), Buffer.from(text).swap16()]) {
        writeFileSync(join(folder, "markers"), bytes)
        assert.strictEqual(await refusal(recordsOf(join(folder, "markers"))), "markers is UTF-16: save it as UTF-8")
      }
    }))

  it("of an export of another product are told as UTF-16 too, and not refused one by one", () =>
    withFolder(async (folder) => {
      const text = Buffer.from(`\ufeff{"event":"Login","distinct_id":"ada"}\n`, "utf16le")
      for (const bytes of [text, gzipSync(text), Buffer.from(text).swap16()]) {
        writeFileSync(join(folder, "events.jsonl"), bytes)
        assert.strictEqual(
          await refusal(exportedRecords("posthog", join(folder, "events.jsonl"))),
          "events.jsonl is UTF-16: save it as UTF-8"
        )
      }
    }))

  it("of an export of ours, which begins with the latest, are in the order of their receipt within each instant", () =>
    withFolder(async (folder) => {
      const row = (sequence: number, timestamp: string) => ({ sequence, type: "Level", unitId: "ada", timestamp })
      const [late, early] = ["2026-11-26T09:00:00.000Z", "2026-11-26T08:00:00.000Z"]
      // Line 4 is no row of an export: it stays between the others.
      const lines = [row(9, late), row(8, late), row(7, late), { type: "Level" }, row(6, early), row(5, early)]
      writeFileSync(join(folder, "levels"), lines.map((line) => JSON.stringify(line)).join("\n"))
      const found = await Effect.runPromise(Effect.provide(recordsOf(join(folder, "levels")), NodeContext.layer))
      assert.deepStrictEqual(
        [...found].map(({ read }) => read.record),
        [3, 2, 1, 4, 6, 5]
      )
    }))

  it("are no longer than any record: a file without ends of lines is not kept in memory", () =>
    withFolder(async (folder) => {
      const good = JSON.stringify({ eventName: "Level" })
      writeFileSync(join(folder, "levels"), `${good}\r\n${good}\n[${`${good},`.repeat(500_000)}${good}]`)
      const said = "levels: line 3 has more than 8 MiB, and each line should be one record"
      assert.strictEqual(await refusal(recordsOf(join(folder, "levels"))), said)
      writeFileSync(join(folder, "levels"), `${good}\n`.repeat(500_000))
      const found = await Effect.runPromise(Effect.provide(recordsOf(join(folder, "levels")), NodeContext.layer))
      assert.strictEqual(found.length, 500_000)
    }))

  it("may be broken, also the first, and after a good one be anything", () =>
    withFolder(async (folder) => {
      const good = JSON.stringify({ eventName: "Level, the first" })
      for (const text of [`{"a": 1,\n${good}\n`, `word\n${good}\n`, `${good}\na,b,c\n`, `["a", "b"]\n1\n`]) {
        writeFileSync(join(folder, "levels"), text)
        const records = await Effect.runPromise(Effect.provide(recordsOf(join(folder, "levels")), NodeContext.layer))
        assert.lengthOf([...records], 2, text)
      }
    }))
})

describe("the file of refused records", () => {
  const begin = (file: string) =>
    Effect.runPromise(Effect.provide(refusedRecords(Option.some(file), false), NodeContext.layer))

  it("is taken again as an import has left it that refused nothing before it ended, and never with anything in it", () =>
    withFolder(async (folder) => {
      const file = join(folder, "rejected.ndjson")
      await begin(file)
      const write = await begin(file)
      const refused = { file: "a", record: 1, content: {}, code: "INVALID_TYPE", reason: "none" } as const
      await Effect.runPromise(write([refused]))
      const line = `${JSON.stringify(refused)}\n`
      assert.strictEqual(readFileSync(file, "utf8"), line)
      assert.match(
        await refusal(refusedRecords(Option.some(file), false)),
        /rejected\.ndjson is there already: name a file that is not$/
      )
      assert.strictEqual(readFileSync(file, "utf8"), line)
    }))
})

describe("standard input", () => {
  const textOf = (pieces: ReadonlyArray<Uint8Array>, isGzip = false) =>
    Stream.fromIterable(pieces).pipe(
      (bytes) => standardInput(bytes, isGzip),
      Stream.decodeText(),
      Stream.mkString,
      Effect.merge,
      Effect.map(String),
      Effect.runPromise
    )

  const byteByByte = (bytes: Uint8Array) => [...bytes].map((byte) => Uint8Array.of(byte))

  it("is unpacked where its first bytes are those of gzip, in whatever pieces they come", async () => {
    const packed = gzipSync("marker")
    assert.strictEqual(await textOf([packed]), "marker")
    assert.strictEqual(await textOf([packed], true), "marker")
    assert.strictEqual(await textOf(byteByByte(packed)), "marker")
    assert.strictEqual(await textOf(byteByByte(Buffer.from("marker"))), "marker")
    assert.strictEqual(await textOf([Buffer.from("m")]), "m")
    assert.strictEqual(await textOf([]), "")
  })

  it("says what it is not", async () => {
    assert.include(await textOf([Buffer.from("plain")], true), "Standard input is not valid gzip")
    assert.include(
      await textOf([Buffer.from("PAR1 and more")]),
      "Standard input is a parquet file, which cannot be read as it comes: give the file in place of -"
    )
  })
})

describe("the environment of an import", () => {
  const at = (id: number, alias: string, project: string) => ({
    id: EnvironmentId.make(id),
    alias,
    name: alias === "production" ? "Live" : alias,
    project
  })
  const one = [at(1, "production", "Ember Keep"), at(2, "development", "Ember Keep")]
  const two = [...one, at(7, "production", "Frost"), at(8, "2", "Frost")]

  it.each([
    ["1", one, 1],
    ["production", one, 1],
    ["Live", one, 1],
    ["development", two, 2],
    ["2", two, 2],
    [
      "production",
      two,
      "Several environments are called production: give the id of one of 1 (production of Ember Keep), 7 (production of Frost)"
    ],
    [
      "prod",
      one,
      "Environment prod does not exist here: there are 1 (production of Ember Keep), 2 (development of Ember Keep)"
    ],
    [
      "1",
      [],
      "Environment 1 does not exist here, and no other: sign in to the server once, which makes a project with its environments"
    ]
  ] as const)("%s", (word, all, expected) => {
    assert.strictEqual<unknown>(Either.merge(environmentNamed(word, all)), expected)
  })
})
