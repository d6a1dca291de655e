import { assert, it } from "@effect/vitest"
import { openForWriting } from "../../../../src/adapters/sqlite/events/file/EventsDb.ts"
import { encodeFrame } from "../../../../src/adapters/sqlite/events/format/FrameEncoder.ts"
import { Writer } from "../../../../src/adapters/sqlite/events/write/Writer.ts"
import { FastCheck as fc } from "effect"
import { anyEvent, base } from "./Arbitraries.ts"
import { directory } from "./Store.ts"

it("A full disk refuses the batch whole, and the same batch is accepted when space returns", () => {
  const { file, remove } = directory()
  const db = openForWriting(file)
  const writer = new Writer(db, { dedupeDays: 7, ownSegmentRows: 100, sealAt: 65_536 })
  const [small, large] = [1, 4000].map((size) => {
    const events = fc.sample(anyEvent, { numRuns: size, seed: size })
    return { environmentId: 1, frame: encodeFrame(base, events) }
  })
  assert.strictEqual(writer.commit([small!])[0]?._tag, "Stored")
  db.pragma("max_page_count = 10")
  assert.deepStrictEqual(writer.commit([large!]), [{ _tag: "StorageFull" }])
  assert.deepStrictEqual(writer.commit([small!]), [{ _tag: "Stored", firstSequence: 2, duplicates: [0] }])
  db.pragma("max_page_count = 100000")
  const [stored] = writer.commit([large!])
  assert(stored?._tag === "Stored")
  assert.strictEqual(stored.firstSequence, 2)
  assert.strictEqual(stored.duplicates.length, 0)
  writer.close()
  remove()
})
