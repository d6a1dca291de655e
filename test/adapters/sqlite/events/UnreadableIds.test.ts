import { assert, it } from "@effect/vitest"
import { openForWriting } from "../../../../src/adapters/sqlite/events/file/EventsDb.ts"
import { encodeFrame } from "../../../../src/adapters/sqlite/events/format/FrameEncoder.ts"
import { Writer } from "../../../../src/adapters/sqlite/events/write/Writer.ts"
import { FastCheck as fc } from "effect"
import { anyEvent, base } from "./Arbitraries.ts"
import { options, run } from "./Opened.ts"
import { directory } from "./Store.ts"

const batch = (seed: number, size: number) => {
  const markerIds = Array.from(
    { length: size },
    (_, at) => `${seed}`.padStart(8, "0") + `-0000-4000-8000-${`${at}`.padStart(12, "0")}`
  )
  const events = fc
    .sample(anyEvent, { numRuns: size, seed })
    .map((event, at) => ({ ...event, markerId: markerIds[at]! }))
  return { environmentId: 1, frame: encodeFrame(base, events) }
}

const opened = () => {
  const { file, remove } = directory()
  const db = openForWriting(file)
  const writer = new Writer(db, options)
  const close = () => {
    writer.close()
    remove()
  }
  return { db, writer, close }
}

it("Markers of a commit that failed because a marker id could not be looked up are new when they are sent again", () => {
  const { db, writer, close } = opened()
  const [sealed, fresh] = [batch(1, 50), batch(2, 50)]
  writer.commit([sealed])
  run(writer.seal())
  db.exec("create table kept as select id, data from key_page; update key_page set data = x'00'")
  assert.throws(() => writer.commit([fresh, sealed]))
  db.exec("update key_page set data = (select data from kept where kept.id = key_page.id); drop table kept")
  const [again, repeated] = writer.commit([fresh, sealed])
  assert.deepStrictEqual(again, { _tag: "Stored", firstSequence: 51, duplicates: [] })
  assert(repeated?._tag === "Stored")
  assert.strictEqual(repeated.duplicates.length, 50)
  close()
})

it("Sequences and marker ids go on where the tail could not be read after a failed commit either", () => {
  const { db, writer, close } = opened()
  const [first, second] = [batch(1, 50), batch(2, 50)]
  writer.commit([first])
  db.exec("alter table tail rename to elsewhere")
  assert.throws(() => writer.commit([second]))
  db.exec("alter table elsewhere rename to tail")
  const [repeated, stored] = writer.commit([first, second])
  assert(repeated?._tag === "Stored")
  assert.strictEqual(repeated.duplicates.length, 50)
  assert.deepStrictEqual(stored, { _tag: "Stored", firstSequence: 51, duplicates: [] })
  close()
})
