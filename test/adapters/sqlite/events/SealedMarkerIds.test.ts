import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { openForWriting } from "../../../../src/adapters/sqlite/events/file/EventsDb.ts"
import { encodeFrame } from "../../../../src/adapters/sqlite/events/format/FrameEncoder.ts"
import { Writer } from "../../../../src/adapters/sqlite/events/write/Writer.ts"
import type { Event } from "../../../../src/domain/analytics/markers/Event.ts"
import { anyEvent, base } from "./Arbitraries.ts"
import { listed, options, run } from "./Opened.ts"

const append = (writer: Writer, environmentId: number, events: ReadonlyArray<Event>, receivedAt = base) =>
  writer.commit([{ environmentId, frame: encodeFrame(receivedAt, events) }])

describe("Sealed marker ids", () => {
  it("keeps marker ids exact: a sealed id is a duplicate within the window and new after it", () => {
    const db = openForWriting(":memory:")
    const writer = new Writer(db, options)
    const events = fc.sample(anyEvent, { numRuns: 3000, seed: 7 })
    for (let round = 0; round < 10; round++) {
      const [outcome] = append(writer, 1, events.slice(round * 300, round * 300 + 300))
      assert(outcome?._tag === "Stored")
      assert.deepStrictEqual(outcome.duplicates, [])
      run(writer.seal())
    }
    run(writer.compact())
    assert.strictEqual(db.prepare<[], { n: number }>("select count(*) as n from key_run").get()?.n, 3)
    const [again] = append(writer, 1, events, base + 7 * 86_400_000)
    assert(again?._tag === "Stored")
    assert.strictEqual(again.duplicates.length, 3000)
    const [elsewhere] = append(writer, 2, events)
    assert(elsewhere?._tag === "Stored")
    assert.strictEqual(elsewhere.duplicates.length, 0)
    const later = base + 8 * 86_400_000
    run(writer.maintain({ now: later, retention: [] }))
    assert.isNull(listed(db, 1)[0]?.markerId)
    const [past] = append(writer, 1, events, later)
    assert(past?._tag === "Stored")
    assert.strictEqual(past.duplicates.length, 0)
  })

  it("keeps marker ids exact that differ in their last or in their first digits only", () => {
    const db = openForWriting(":memory:")
    const writer = new Writer(db, options)
    const [event] = fc.sample(anyEvent, { numRuns: 1, seed: 8 })
    const idOf = (n: number) => {
      const digits = String(n * 3).padStart(8, "0")
      return n % 5 === 0 ? `${digits}-0000-4000-8000-000000000000` : `00000000-0000-4000-8000-0000${digits}`
    }
    const numbered = (first: number, step: number) =>
      Array.from({ length: 4000 }, (_, i) => ({ ...event!, markerId: idOf(1 + first + i * step) }))
    append(writer, 1, numbered(0, 2))
    run(writer.seal())
    for (const again of [0, 1]) {
      const [outcome] = append(writer, 1, numbered(0, 1))
      const even = Array.from({ length: 4000 }, (_, i) => i).filter((i) => again === 1 || i % 2 === 0)
      assert(outcome?._tag === "Stored")
      assert.deepStrictEqual(outcome.duplicates, even)
    }
  })
})
