import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { Control } from "../../../../src/adapters/sqlite/events/read/Control.ts"
import type { Db } from "../../../../src/adapters/sqlite/events/file/Db.ts"
import { openForWriting } from "../../../../src/adapters/sqlite/events/file/EventsDb.ts"
import { encodeFrame } from "../../../../src/adapters/sqlite/events/format/FrameEncoder.ts"
import { Reader } from "../../../../src/adapters/sqlite/events/threads/Reader.ts"
import { verify } from "../../../../src/adapters/sqlite/events/file/Verification.ts"
import { Writer } from "../../../../src/adapters/sqlite/events/write/Writer.ts"
import { unfiltered } from "../../../../src/domain/analytics/filter/Filter.ts"
import { anyEvent, base } from "./Arbitraries.ts"

const run = (job: Generator<void, unknown>) => {
  while (job.next().done !== true);
}

const twoSegments = (): { db: Db; writer: Writer } => {
  const db = openForWriting(":memory:")
  const writer = new Writer(db, { dedupeDays: 7, ownSegmentRows: 100_000, sealAt: 65_536 })
  for (const seed of [1, 2]) {
    writer.commit([{ environmentId: 1, frame: encodeFrame(base, fc.sample(anyEvent, { numRuns: 300, seed })) }])
    run(writer.seal())
  }
  return { db, writer }
}

const list = (db: Db) => {
  const plan = { range: { from: 0, to: 1e15 }, types: null, unitId: null, filter: unfiltered, limit: 1000, after: null }
  const reply = new Reader(db, { cacheBytes: 1_000_000 }).reply({
    type: "ask",
    id: 1,
    environmentId: 1,
    question: { kind: "listing", plan },
    control: new Control().shared
  })
  assert(reply.type === "answer")
  return reply
}

const damages: ReadonlyArray<readonly [name: string, damage: (data: Uint8Array) => Uint8Array, message: RegExp]> = [
  [
    "cut short",
    (data) => data.subarray(0, data.length - 3),
    /^Segment 1 \(environment 1, several types\): column .* is cut short$/
  ],
  [
    "with one bit flipped",
    (data) => data.map((byte, at) => (at === 9 ? byte ^ 16 : byte)),
    /^Segment 1 \(environment 1, several types\): column .* has a wrong checksum$/
  ]
]

describe("A segment", () => {
  for (const [name, damage, message] of damages)
    it(`${name} is named and left out, the rest is answered`, () => {
      const { db, writer } = twoSegments()
      assert.deepStrictEqual(verify(db), { segments: 2, tailBatches: 0, problems: [] })
      const places = db.prepare<[], { id: number; data: Uint8Array }>(
        "select id, data from segment_column where id / 65536 = 1"
      )
      const columns = places.all()
      for (const [place, { id, data }] of columns.entries()) {
        const isIndex = place === columns.length - 1
        db.prepare("update segment_column set data = ? where id = ?").run(damage(data), id)
        const { problems } = verify(db)
        assert.strictEqual(problems.length, 1)
        assert.match(problems[0] ?? "", message)
        const { answer, meta } = list(db)
        // A listing of everything has no use for the index of times.
        assert.strictEqual((answer as { items: ReadonlyArray<unknown> }).items.length, isIndex ? 600 : 300)
        assert.deepStrictEqual(meta.damaged, isIndex ? [] : problems)
        db.prepare("update segment_column set data = ? where id = ?").run(data, id)
      }
      run(writer.maintain({ now: base, retention: [] }))
      assert.deepStrictEqual(verify(db).problems, [])
    })

  it("whose tail batch is damaged is named too", () => {
    const { db, writer } = twoSegments()
    writer.commit([{ environmentId: 1, frame: encodeFrame(base, fc.sample(anyEvent, { numRuns: 5, seed: 4 })) }])
    db.exec("update tail set data = substr(data, 1, length(data) - 7)")
    const { problems, tailBatches } = verify(db)
    assert.strictEqual(tailBatches, 1)
    assert.match(problems[0] ?? "", /^Tail batch \d+: /)
  })
})
