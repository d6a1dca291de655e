import { assert, describe, it } from "@effect/vitest"
import { crc32 } from "node:zlib"
import type { Db } from "../../../../../src/adapters/sqlite/events/file/Db.ts"
import { openForWriting } from "../../../../../src/adapters/sqlite/events/file/EventsDb.ts"
import { Receipts } from "../../../../../src/adapters/sqlite/events/file/ids/Receipts.ts"
import { encodeFrame } from "../../../../../src/adapters/sqlite/events/format/FrameEncoder.ts"
import { Writer } from "../../../../../src/adapters/sqlite/events/write/Writer.ts"
import type { Event } from "../../../../../src/domain/analytics/markers/Event.ts"

const receivedAt = 1_774_483_200_500

const event = (at: number, changes: Partial<Event>): Event => ({
  markerId: `7b4a2f0c-9d1e-4a53-8c66-0000000000${10 + at}`,
  type: "Level",
  unitId: "u1",
  sessionId: "s1",
  serverId: null,
  timestamp: receivedAt + at,
  receivedAt,
  clamped: false,
  arguments: {},
  properties: {},
  position: null,
  ...changes
})

const rows = (db: Db, sql: string) => db.prepare<[], Readonly<Record<string, unknown>>>(sql).all()

/** Three markers of one type and one of another, sealed. */
const sealed = (): Db => {
  const db = openForWriting(":memory:")
  const writer = new Writer(db, { dedupeDays: 7, ownSegmentRows: 3, sealAt: 100 })
  const events = [
    event(0, { arguments: { level: 1 }, properties: { country: "DE" } }),
    event(1, { serverId: "s", clamped: true, position: [1, 2, 3] }),
    event(2, { unitId: null, arguments: { level: "x" } }),
    event(3, { type: "Rare", unitId: "7b4a2f0c-9d1e-4a53-8c66-0e5b1f2a3d4c", sessionId: null })
  ]
  writer.commit([{ environmentId: 9, frame: encodeFrame(receivedAt, events) }])
  for (const job = writer.seal(); job.next().done !== true;);
  return db
}

describe("The rows that sealing writes", () => {
  const db = sealed()

  it("list the columns of a segment in order, with length and checksum of each", () => {
    const segments = rows(db, "select * from segment")
    const names = segments.map(({ columns }) =>
      (JSON.parse(String(columns)) as Array<{ name: string }>).map((c) => c.name)
    )
    const always = ["time", "sequence", "unit", "session"]
    assert.deepStrictEqual(names, [
      [...always, "a:level", "p:country", "server", "clamped", "x", "y", "z", "quarter"],
      [...always, "type", "quarter"]
    ])
    assert.deepStrictEqual(
      segments.map(({ id, environment_id: environment, type, rows: count }) => [id, environment, type, count]),
      [
        [1, 9, "Level", 3],
        [2, 9, null, 1]
      ]
    )
    for (const { id, columns } of segments)
      for (const [place, { bytes, checksum }] of (
        JSON.parse(String(columns)) as Array<{ bytes: number; checksum: number }>
      ).entries()) {
        const data = db.prepare<[number], Buffer>("select data from segment_column where id = ?").pluck()
        const stored = data.get(Number(id) * 65_536 + place)!
        assert.deepStrictEqual([stored.length, crc32(stored)], [bytes, checksum])
      }
  })

  it("name units and sessions by numbers from 1", () => {
    assert.deepStrictEqual(rows(db, "select id, name, typeof(name) as kind from unit"), [
      { id: 1, name: "u1", kind: "text" },
      { id: 2, name: Buffer.from("7b4a2f0c9d1e4a538c660e5b1f2a3d4c", "hex"), kind: "blob" }
    ])
    assert.deepStrictEqual(rows(db, "select id, name from session"), [{ id: 1, name: "s1" }])
    assert.deepStrictEqual(rows(db, "select id, next_sequence from environment"), [{ id: 9, next_sequence: 5 }])
  })

  it("keep the catalogue as JSON", () => {
    const names = "select name, kinds, counts from seen_name order by name"
    assert.deepStrictEqual(rows(db, names), [
      { name: "country", kinds: '{"string":1,"number":0,"boolean":0,"array":0}', counts: '[["DE",1]]' },
      { name: "level", kinds: '{"string":1,"number":1,"boolean":0,"array":0}', counts: '[[1,1],["x",1]]' }
    ])
    assert.deepStrictEqual(rows(db, "select type, day, events from seen_day"), [
      { type: "Level", day: 20_538, events: 3 },
      { type: "Rare", day: 20_538, events: 1 }
    ])
  })

  it("give pages of marker ids the numbers that follow from their run", () => {
    const [run] = rows(db, "select id, day, keys, first_sequence, last_sequence, layout from key_run")
    assert.deepStrictEqual(run, { id: 1, day: 20_538, keys: 4, first_sequence: 1, last_sequence: 4, layout: 1 })
    assert.deepStrictEqual(rows(db, "select id, length(data) as bytes from key_page"), [{ id: 65_536, bytes: 48 }])
  })
})

it("A receipt is the first sequence of each request and the instant it came at", () => {
  const db = openForWriting(":memory:")
  const receipts = [
    { firstSequence: 301, receivedAt },
    { firstSequence: 311, receivedAt: receivedAt + 40 }
  ]
  new Receipts(db).save(9, receipts, 320)
  assert.deepStrictEqual(rows(db, "select first_sequence, last_sequence, hex(data) as data from receipt"), [
    { first_sequence: 301, last_sequence: 320, data: "02DA0403010002000A00E8E786F7A46703010002002800" }
  ])
  const read = new Receipts(db)
  assert.deepStrictEqual(
    [301, 310, 311, 320].map((sequence) => read.receivedAt(9, sequence) - receivedAt),
    [0, 0, 40, 40]
  )
})
