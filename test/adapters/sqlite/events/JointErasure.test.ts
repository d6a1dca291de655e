import { assert, describe, it, vi } from "@effect/vitest"
import { openForWriting } from "../../../../src/adapters/sqlite/events/file/EventsDb.ts"
import { Segments } from "../../../../src/adapters/sqlite/events/file/Segments.ts"
import { encodeFrame } from "../../../../src/adapters/sqlite/events/format/FrameEncoder.ts"
import { Writer } from "../../../../src/adapters/sqlite/events/write/Writer.ts"
import type { Event } from "../../../../src/domain/analytics/markers/Event.ts"
import type { Incomplete } from "../../../../src/domain/analytics/question/Question.ts"
import { base } from "./Arbitraries.ts"
import { listed, options, run } from "./Opened.ts"

const markers = (units: ReadonlyArray<string>, rows: number, timestamp: number): ReadonlyArray<Event> =>
  Array.from({ length: rows }, (_, at) => ({
    receivedAt: base,
    timestamp: timestamp + at,
    type: "played",
    unitId: units[at % units.length] ?? null,
    sessionId: null,
    serverId: null,
    clamped: false,
    position: null,
    markerId: crypto.randomUUID(),
    arguments: { level: at * at },
    properties: {}
  }))

/** A segment of "ada" and "bea" and a later one of "ada" and "dora", of which columns are damaged; all but "dora" are erased, and a stranger. */
const erasedOver = (isDamaged: (column: number) => boolean) => {
  const db = openForWriting(":memory:")
  const writer = new Writer(db, options)
  const seal = (events: ReadonlyArray<Event>) => {
    writer.commit([{ environmentId: 1, frame: encodeFrame(base, events) }])
    run(writer.seal())
  }
  seal(markers(["ada", "bea"], 100, base - 10_000))
  seal(markers(["ada", "dora"], 50, base - 5000))
  const segment = db.prepare<[], { id: number }>("select max(id) as id from segment").get()?.id ?? 0
  const columns = db
    .prepare<[number], { id: number; data: Uint8Array }>(
      "select id, data from segment_column where id / 65536 = ? order by id"
    )
    .all(segment)
  for (const [at, { id, data }] of columns.entries())
    if (isDamaged(at))
      db.prepare("update segment_column set data = ? where id = ?").run(
        data.map((byte) => byte ^ 0x55),
        id
      )
  const erasing = new Writer(db, options).erase(
    1,
    ["ada", "bea", "cleo"].map((unitId) => ({ unitId, record: null }))
  )
  let lacking: ReadonlyArray<Incomplete | null> = []
  for (let step = erasing.next(); ; step = erasing.next())
    if (step.done === true) {
      lacking = step.value
      break
    }
  const left = db.prepare<[], { rows: number }>("select rows from segment order by id").all()
  return { db, lacking, left: left.map(({ rows }) => rows) }
}

const later = { rows: 50, from: base - 5000, to: base - 5000 + 49 }

describe("units that are erased together", () => {
  it("all lack what may be theirs where nobody can tell whose rows a segment has", () => {
    const { lacking, left } = erasedOver(() => true)
    assert.deepStrictEqual(lacking, [later, later, null])
    assert.deepStrictEqual(left, [50])
  })

  it("lack what could not be rewritten only where they have rows of it", () => {
    const { lacking, left } = erasedOver((column) => column === 0)
    assert.deepStrictEqual(lacking, [later, null, null])
    assert.deepStrictEqual(left, [50])
  })

  it("lack nothing where all can be read", () => {
    const { db, lacking } = erasedOver(() => false)
    assert.deepStrictEqual(lacking, [null, null, null])
    assert.deepStrictEqual([...new Set(listed(db, 1).map(({ unitId }) => unitId))], ["dora"])
  })
})

describe("an erasure of segments that have very many columns", () => {
  const names = 400
  const wide = (unit: string): ReadonlyArray<Event> =>
    markers([unit], 3, base).map((event, row) => ({
      ...event,
      arguments: Object.fromEntries(Array.from({ length: names / 2 }, (_, n) => [`${row % 2} ${n}`, `${unit} ${n}`]))
    }))

  it("reads few columns in one step, and leaves the others as they were", () => {
    const db = openForWriting(":memory:")
    const writer = new Writer(db, { ...options, ownSegmentRows: 1 })
    writer.commit([{ environmentId: 1, frame: encodeFrame(base, [...wide("ada"), ...wide("bea"), ...wide("dora")]) }])
    run(writer.seal())
    const kept = listed(db, 1).filter(({ unitId }) => unitId === "dora")
    const read = vi.spyOn(Segments.prototype, "read")
    const erasing = writer.erase(
      1,
      ["ada", "bea"].map((unitId) => ({ unitId, record: null }))
    )
    let [reads, most] = [0, 0]
    while (erasing.next().done !== true) {
      most = Math.max(most, read.mock.calls.length)
      reads += read.mock.calls.length
      read.mockClear()
    }
    read.mockRestore()
    assert.isAtLeast(reads, 2 * names)
    assert.isAtMost(most, 5)
    assert.deepStrictEqual(listed(db, 1), kept)
    const values = db.prepare<[], { counts: string }>("select counts from seen_name").all()
    assert.strictEqual(values.length, names)
    for (const { counts } of values) assert.match(counts, /^\[\["dora \d+",[12]\]\]$/)
  })
})

describe("values that name an erased unit", () => {
  it("leave every name and every environment's but the erased one's stay, also where they are looked through in many steps", () => {
    const db = openForWriting(":memory:")
    const writer = new Writer(db, options)
    const named = (value: string): ReadonlyArray<Event> =>
      markers(["dora"], 1, base).map((event) => ({
        ...event,
        arguments: Object.fromEntries(
          Array.from({ length: 50 }, (_, n) => [`n${n}`, [value, `of "adaline" ${n}`, `${n}`]])
        )
      }))
    for (const environmentId of [1, 2])
      writer.commit([{ environmentId, frame: encodeFrame(base, named("beatrix's friend")) }])
    run(writer.seal())
    let now = 0
    const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 1))
    run(
      writer.erase(
        1,
        ['"adaline"', "beatrix", "cleo"].map((unitId) => ({ unitId, record: null }))
      )
    )
    clock.mockRestore()
    const counts = (environmentId: number) =>
      db
        .prepare<[number], { counts: string }>("select counts from seen_name where environment_id = ? order by rowid")
        .all(environmentId)
        .map(({ counts }) => JSON.parse(counts).length)
    assert.deepStrictEqual(
      counts(1),
      Array.from({ length: 50 }, () => 1)
    )
    assert.deepStrictEqual(
      counts(2),
      Array.from({ length: 50 }, () => 3)
    )
  })
})
