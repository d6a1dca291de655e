import { assert, describe, it } from "@effect/vitest"
import { openForWriting } from "../../../../src/adapters/sqlite/events/file/EventsDb.ts"
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
