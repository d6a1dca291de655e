import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { openForWriting } from "../../../../../src/adapters/sqlite/events/file/EventsDb.ts"
import { encodeFrame } from "../../../../../src/adapters/sqlite/events/format/FrameEncoder.ts"
import { keyBits, KeyFilter, keyHash } from "../../../../../src/adapters/sqlite/events/format/KeyFilter.ts"
import { Writer } from "../../../../../src/adapters/sqlite/events/write/Writer.ts"
import { anyEvent, base } from "../Arbitraries.ts"
import { flattenRuns } from "../FlatRuns.ts"
import { directory } from "../Store.ts"

type Key = readonly [a: number, b: number, c: number, d: number]

const size = 20_000

const mayHave = (filter: KeyFilter, key: Key): boolean => {
  const hash = keyHash(...key)
  return filter.mayHave(hash, keyBits(hash))
}

/** Ids that differ in one word alone, as those of who counts do. */
const counters: ReadonlyArray<readonly [name: string, keyOf: (n: number) => Key]> = [
  ["first", (n) => [n, 7, 7, 7]],
  ["second", (n) => [7, n, 7, 7]],
  ["third", (n) => [7, 7, n, 7]],
  ["last", (n) => [7, 7, 7, n]],
  ["last, high bits", (n) => [7, 7, 7, (n << 12) >>> 0]]
]

describe("A filter of marker ids", () => {
  it.each(counters)("passes all that are there and few others when ids count in their word %s", (_, keyOf) => {
    const filter = KeyFilter.for(size)
    for (let n = 0; n < size; n++) filter.add(...keyOf(n))
    let passed = 0
    for (let n = 0; n < size; n++) {
      assert.isTrue(mayHave(filter, keyOf(n)))
      if (mayHave(filter, keyOf(size + n))) passed++
    }
    assert.isBelow(passed / size, 0.01)
  })

  it("is made anew when a file of a format before it is opened", () => {
    const { file, remove } = directory()
    const options = { dedupeDays: 7, ownSegmentRows: 100, sealAt: 65_536 }
    const request = { environmentId: 1, frame: encodeFrame(base, fc.sample(anyEvent, { numRuns: 900, seed: 3 })) }
    const before = openForWriting(file)
    const writer = new Writer(before, options)
    const [first] = writer.commit([request])
    assert(first?._tag === "Stored")
    for (const job = writer.seal(); job.next().done !== true;);
    flattenRuns(before)
    before.exec("update key_run set filter = zeroblob(length(filter)); alter table key_run drop column layout")
    before.exec("drop table page_token; pragma user_version = 3")
    before.close()
    const after = openForWriting(file)
    const [again] = new Writer(after, options).commit([request])
    assert(again?._tag === "Stored")
    assert.strictEqual(again.duplicates.length, 900)
    after.close()
    remove()
  })
})
