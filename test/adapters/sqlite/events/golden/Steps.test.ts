import { assert, describe, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { crc32 } from "node:zlib"
import type { Db } from "../../../../../src/adapters/sqlite/events/file/Db.ts"
import { decodeDay } from "../../../../../src/adapters/sqlite/events/format/ActiveDay.ts"
import { readName } from "../../../../../src/adapters/sqlite/events/bytes/MarkerId.ts"
import { Format3Reader, integersOfFormat3 } from "../../../../../src/adapters/sqlite/events/steps/Format3Bytes.ts"
import { formatSteps } from "../../../../../src/adapters/sqlite/events/steps/FormatSteps.ts"
import { environments, formats, goldenCopy, isWhole, world } from "./GoldenWorld.ts"

type Row = Readonly<Record<string, unknown>>
type Tables = Readonly<Record<string, ReadonlyArray<Row>>>

/** The golden file of a format as its build left it. */
const asWritten = <A>(format: number, use: (db: Db) => A): A => {
  const { file, remove } = goldenCopy(format)
  const db = new Database(file)
  try {
    return use(db)
  } finally {
    db.close()
    remove()
  }
}

/** Tables that are made when a file of any format is opened: builds before them wrote the first six files. */
const ofEveryFormat = new Set(["file_pair", "partner_note", "erasure"])

const schemaOf = (db: Db) => [
  db.pragma("application_id", { simple: true }),
  db
    .prepare<[], { name: string }>(
      "select type, name, sql from sqlite_master where name not like 'sqlite_%' order by name"
    )
    .all()
    .filter(({ name }) => !ofEveryFormat.has(name))
]

const tablesOf = (db: Db): Tables =>
  Object.fromEntries(
    db
      .prepare<[], string>("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
      .pluck()
      .all()
      .map((name) => [name, db.prepare<[], Row>(`select * from ${name} order by 1, 2`).all()])
  )

const step = (db: Db, to: number) => db.transaction(() => formatSteps[to - 1]!(db))()

const without = ({ ...tables }: Tables, ...names: ReadonlyArray<string>): Tables => {
  for (const name of names) Reflect.deleteProperty(tables, name)
  return tables
}

const brought = (from: number) =>
  asWritten(from, (db) => {
    const before = tablesOf(db)
    step(db, from + 1)
    return { before, after: tablesOf(db), schema: schemaOf(db) }
  })

const written = (format: number) => asWritten(format, (db) => ({ schema: schemaOf(db), tables: tablesOf(db) }))

const hourMs = 3_600_000

/** Bits of hours by "environment day unit", of the markers that are sealed. */
const activeHours = (tables: Tables): Readonly<Record<string, number>> => {
  const found: Record<string, number> = {}
  for (const { id, next_sequence: next } of tables["environment"]!)
    for (const { sequence, unitId, timestamp } of world.markers[String(id)]!) {
      if (unitId === null || sequence >= Number(next)) continue
      const hour = Math.floor(timestamp / hourMs)
      const key = `${String(id)} ${Math.floor(hour / 24)} ${unitId}`
      found[key] = (found[key] ?? 0) | (1 << (hour % 24))
    }
  return found
}

const storedHours = (tables: Tables): Readonly<Record<string, number>> => {
  const found: Record<string, number> = {}
  for (const { environment_id: environmentId, day, data, checksum } of tables["activity"]!) {
    assert.strictEqual(crc32(data as Uint8Array), checksum)
    const pairs = decodeDay(data as Uint8Array)
    for (let at = 0; at < pairs.length; at += 2) {
      const row = tables["unit"]!.find((one) => one["environment_id"] === environmentId && one["id"] === pairs[at])
      found[`${String(environmentId)} ${String(day)} ${readName(row!["name"] as string | Uint8Array)}`] = pairs[at + 1]!
    }
  }
  return found
}

const ofWhole = (rows: ReadonlyArray<Row>) => rows.filter((row) => isWhole(Number(row["environment_id"])))

describe("The steps from format to format", () => {
  it("are as many as there are formats", () =>
    assert.strictEqual(
      formatSteps.length,
      formats.length,
      "each format has a file, listed in GoldenWorld.ts: test/fixtures/events/README.md says how it is built"
    ))

  it.each(formats)("make of an empty file what a build of format %i made of it", (format) => {
    const db = new Database(":memory:")
    for (let to = 1; to <= format; to++) step(db, to)
    assert.deepStrictEqual(schemaOf(db), written(format).schema)
    assert.isEmpty(Object.values(tablesOf(db)).flat())
    db.close()
  })

  it("to 2 add empty tables for cohorts", () => {
    const { before, after, schema } = brought(1)
    const names = ["cohort", "cohort_member", "cohort_staging"]
    assert.deepStrictEqual(schema, written(2).schema)
    assert.deepStrictEqual(without(after, ...names), before)
    assert.deepStrictEqual(
      names.map((name) => after[name]),
      [[], [], []]
    )
  })

  it("to 3 gather the active hours of all sealed markers, byte for byte as a build of format 3 kept them", () => {
    const { before, after, schema } = brought(2)
    const { schema: expected, tables } = written(3)
    assert.deepStrictEqual(schema, expected)
    assert.deepStrictEqual(without(after, "activity", "environment"), without(before, "environment"))
    assert.deepStrictEqual(
      after["environment"],
      before["environment"]!.map((row) => ({ ...row, complete_from: null }))
    )
    assert.deepStrictEqual(storedHours(after), activeHours(after))
    const bytes = (rows: ReadonlyArray<Row>) => ofWhole(rows).map((row) => ({ ...row, stamp: 1 }))
    assert.deepStrictEqual(bytes(after["activity"]!), bytes(tables["activity"]!))
    assert.isTrue(after["activity"]!.every(({ stamp }) => stamp === 1))
  })

  it("to 3 leave a damaged segment out", () => {
    asWritten(2, (db) => {
      const ids = db.prepare<[], number>("select id from segment where environment_id = 1").pluck().all()
      const damage = (id: number, column: number, to: string) =>
        db.prepare(`update segment_column set data = ${to} where id = ?`).run(id * 65_536 + column)
      for (const [at, id] of ids.entries())
        if (at % 2 === 0) damage(id, 2, "substr(data, 1, length(data) - 1)")
        else damage(id, 0, "zeroblob(length(data))")
      step(db, 3)
      const [found, all] = [storedHours(tablesOf(db)), activeHours(tablesOf(db))]
      const others = Object.entries(all).filter(([key]) => !key.startsWith("1 "))
      assert.deepStrictEqual(found, Object.fromEntries(others))
    })
  })

  it("to 4 make the filters of marker ids anew, byte for byte as a build of format 4 made them", () => {
    const { before, after, schema } = brought(3)
    const { schema: expected, tables } = written(4)
    assert.deepStrictEqual(schema, expected)
    assert.deepStrictEqual(without(after, "key_run"), without(before, "key_run"))
    assert.deepStrictEqual(after["key_run"], tables["key_run"])
    assert.notDeepEqual(after["key_run"], before["key_run"])
  })

  it("to 5 change nothing that is stored", () => {
    const { before, after, schema } = brought(4)
    assert.deepStrictEqual(schema, written(5).schema)
    assert.deepStrictEqual(after, before)
  })

  it("to 6 add an empty table for the token of checksums, and change nothing else", () => {
    const { before, after, schema } = brought(5)
    assert.deepStrictEqual(schema, written(6).schema)
    assert.deepStrictEqual(after, { ...before, page_token: [] })
  })

  it("to 7 add the layout of runs of marker ids, and change no page", () => {
    const { before, after, schema } = brought(6)
    assert.deepStrictEqual(schema, written(7).schema)
    const runs = before["key_run"]!.map((row) => ({ ...row, layout: null }))
    assert.deepStrictEqual(after, { ...before, key_run: runs })
  })

  it("to 8 change nothing that is stored", () => {
    const { before, after, schema } = brought(7)
    assert.deepStrictEqual(schema, written(8).schema)
    assert.deepStrictEqual(after, before)
  })

  it("leave every marker where it is: the environments of all files are the same", () => {
    for (const format of formats)
      assert.deepStrictEqual(
        written(format).tables["environment"]!.map(({ id }) => Number(id)),
        environments.filter((id) => id !== 4)
      )
  })
})

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, "hex"))

/** Integers as a build of format 3 stored them. */
const integers: ReadonlyArray<readonly [name: string, values: ReadonlyArray<number>, stored: string]> = [
  ["none", [], "0100000000"],
  ["all the same", [7, 7, 7], "010000000e"],
  ["in one plane, the least negative", [-1, 3], "01010002000401"],
  ["in three bits", [2, 7, 4, 9, 6, 3, 8, 5, 2, 7, 4, 9, 6, 3, 8, 5, 2, 7, 4, 9], "0003a8ce78a8ce78a80e0000000004"],
  [
    "in 24 bits",
    [0, 4_793_491, 9_586_982, 14_380_473, 2_396_748, 7_190_239, 11_983_730, 5],
    "0018000000932449264992b96ddb4c9224dfb66d72dbb60500000000000000"
  ],
  [
    "in three planes, which are shorter here than 24 bits",
    [0, 4_793_491, 9_586_982, 14_380_473, 2_396_748, 7_190_239, 11_983_730],
    "01030015009326b94cdf720024496d92b6db004992db246db600"
  ],
  ["in four planes", [5, 2 ** 32 - 1, 2 ** 31], "0104000c00fafb00ffff00ffff00ff7f0a"]
]

describe("The bytes that the step to format 3 reads and writes", () => {
  it.each(integers)("of integers: %s", (_, values, stored) => {
    assert.strictEqual(hex(integersOfFormat3(Float64Array.from(values))), stored)
    assert.deepStrictEqual([...new Format3Reader(bytesOf(stored)).integers(values.length)], values)
  })

  it("of integers that compress well", () => {
    const values = Float64Array.from({ length: 900 }, (_, at) => 100_000 + (at % 3) * 70_000)
    const stored = integersOfFormat3(values)
    assert.deepStrictEqual([...stored.subarray(0, 3)], [1, 3, 1])
    assert.isBelow(stored.length, 200)
    assert.deepStrictEqual(new Format3Reader(stored).integers(900), values)
  })

  it("of doubles, compressed and not, and of differences", () => {
    const two = "02001000000000000028c2000000000000f03f"
    assert.deepStrictEqual([...new Format3Reader(bytesOf(two)).integers(2)], [-(2 ** 35) * 1.5, 1])
    const differences = "0a0002240000000005"
    assert.deepStrictEqual([...new Format3Reader(bytesOf(differences)).differences(3)], [2, 0, -1])
  })

  it("are refused when they are not whole or of an unknown form", () => {
    assert.throws(() => new Format3Reader(bytesOf("0003880a")).integers(4), /end too early/)
    assert.throws(() => new Format3Reader(bytesOf("03020000")).integers(4), /Unknown form 3/)
    assert.throws(() => new Format3Reader(bytesOf("0020")).integers(1), /Unknown width 32/)
    assert.throws(() => new Format3Reader(bytesOf("010100030101010a")).integers(4), /wrong length/)
  })
})
