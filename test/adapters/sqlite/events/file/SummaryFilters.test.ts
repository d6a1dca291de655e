import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { openForWriting } from "../../../../../src/adapters/sqlite/events/file/EventsDb.ts"
import { KeyRuns } from "../../../../../src/adapters/sqlite/events/file/KeyRuns.ts"
import { LoadedRuns } from "../../../../../src/adapters/sqlite/events/file/LoadedRuns.ts"
import { mergedRun } from "../../../../../src/adapters/sqlite/events/file/RunMerging.ts"
import { type SummaryFilter, SummaryFilters } from "../../../../../src/adapters/sqlite/events/file/SummaryFilters.ts"
import { keyBits, KeyFilter } from "../../../../../src/adapters/sqlite/events/format/KeyFilter.ts"
import { KeyRunBuilder } from "../../../../../src/adapters/sqlite/events/format/KeyRun.ts"
import { runCount } from "../../../../support/Runs.ts"
import { run } from "../Opened.ts"

const kibibyte = 1024
const firstDay = 20_000

/** Well mixed hashes, no two alike. */
const hashOf = (n: number): number => Math.imul(n + 1, 0x9e3779b1) | 0

const filled = (filters: SummaryFilters, from: number, count: number, all: number): SummaryFilter => {
  const filter = filters.reserve(count, all)
  assert(filter !== null)
  for (let n = from; n < from + count; n++) filter.add(hashOf(n))
  return filter
}

const passes = (filters: SummaryFilters, from: number, count: number): number => {
  let passed = 0
  for (let n = from; n < from + count; n++) if (filters.mayHave(hashOf(n), keyBits(hashOf(n)))) passed++
  return passed
}

describe("Summaries of key runs", () => {
  it("know the keys of all runs that they were given, and few others", () => {
    const filters = new SummaryFilters()
    assert.strictEqual(passes(filters, 0, 100), 0)
    for (let at = 0; at < 4; at++) filled(filters, at * 60_000, 60_000, at * 60_000)
    assert.strictEqual(passes(filters, 0, 240_000), 240_000)
    assert.isBelow(passes(filters, 240_000, 40_000), 800)
  })

  it("take several runs each, and the next one has room for twice what all runs have", () => {
    const filters = new SummaryFilters()
    const [first, second, third] = [0, 1, 2].map((at) => filled(filters, at * 60_000, 60_000, at * 60_000))
    assert.strictEqual(first, second)
    assert.notStrictEqual(second, third)
    assert.deepStrictEqual([first?.capacity, third?.capacity], [131_072, 240_000])
    assert.strictEqual(filters.reserve(300_000, 180_000)?.capacity, 360_000)
  })

  it("stay within their bytes", () => {
    const filters = new SummaryFilters(300 * kibibyte)
    filled(filters, 0, 131_072, 0)
    assert.isNull(filters.reserve(1000, 1_000_000))
    assert.strictEqual(filters.bytes, 192 * kibibyte)
    assert.strictEqual(passes(filters, 0, 131_072), 131_072)
  })

  it("are let go once no run has keys in them", () => {
    const filters = new SummaryFilters()
    const [one, two] = [filled(filters, 0, 100_000, 0), filled(filters, 100_000, 100_000, 100_000)]
    filters.retain(new Set([two]))
    assert.deepStrictEqual([filters.has(one), filters.has(two)], [false, true])
    assert.strictEqual(passes(filters, 100_000, 100_000), 100_000)
    assert.isBelow(passes(filters, 0, 100_000), 10_000)
  })
})

describe("Runs of marker ids in memory", () => {
  const runOf = (id: number, keys: number) => ({
    id,
    day: firstDay,
    keys,
    layout: null,
    fences: new Uint32Array(),
    filter: KeyFilter.for(1),
    summaries: []
  })
  const asked = (runs: LoadedRuns, hash: number) => runs.candidates(1, hash, keyBits(hash)).map(({ id }) => id)

  it("are asked themselves until they were asked for as often as they have ids, and then for ids that a summary may have", () => {
    const runs = new LoadedRuns()
    runs.add(1, runOf(1, 3))
    runs.add(1, runOf(2, 5))
    for (const hash of [11, 12, 13]) {
      assert.isNull(runs.unsummarized())
      assert.deepStrictEqual(asked(runs, hash), [1, 2])
    }
    const first = runs.unsummarized()
    assert(first !== null)
    assert.strictEqual(first.run.id, 1)
    for (const hash of [1, 2, 3]) first.summary.add(hash)
    runs.noteSummarized(first)
    assert.isNull(runs.unsummarized())
    assert.deepStrictEqual([asked(runs, 14), asked(runs, 2)], [[2], [1, 2]])
    const second = runs.unsummarized()
    assert(second !== null)
    runs.noteSummarized(second)
    assert.deepStrictEqual([asked(runs, 14), asked(runs, 2)], [[], [1, 2]])
    assert.isNull(runs.unsummarized())
  })

  it("that come while markers do are in a summary from the start", () => {
    const runs = new LoadedRuns()
    runs.add(1, { ...runOf(1, 2), summaries: runs.summarize(Int32Array.of(7, 8)) })
    assert.deepStrictEqual([asked(runs, 9), asked(runs, 7)], [[], [1]])
    for (let n = 0; n < 10; n++) asked(runs, n)
    assert.isNull(runs.unsummarized())
  })
})

const words = (n: number): DataView => {
  const view = new DataView(new ArrayBuffer(16))
  for (let word = 0; word < 4; word++) view.setUint32(word * 4, Math.imul(n + 1, 2_654_435_761 + word * 40_503) >>> 0)
  return view
}

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("insert" as const), keys: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("nextDay" as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("merge" as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("summarize" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("open" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("drop" as const), days: fc.integer({ min: 0, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("removeAll" as const), environmentId: fc.constantFrom(1, 2) }) }
)

describe("Marker ids of key runs are known exactly", () => {
  it("whatever was inserted, merged, dropped, opened again and put into summaries", () =>
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 40 }),
        fc.constantFrom(undefined, 0),
        fc.boolean(),
        (steps, summaryBytes, isLookedUp) => {
          const db = openForWriting(":memory:")
          let runs = new KeyRuns(db, summaryBytes)
          const known = new Map<string, number>()
          let [day, next] = [firstDay, 0]
          const look = () => {
            for (let n = 0; n < next + 20; n++)
              for (const environmentId of [1, 2]) {
                const received = known.get(`${environmentId} ${n}`)
                assert.strictEqual(runs.has(environmentId, firstDay, words(n), 0), received !== undefined, `${n}`)
                assert.strictEqual(runs.has(environmentId, day, words(n), 0), received === day, `${n} today`)
              }
          }
          const forget = (isGone: (environmentId: number, received: number) => boolean) => {
            for (const [key, received] of [...known]) if (isGone(Number(key.split(" ")[0]), received)) known.delete(key)
          }
          for (const each of steps) {
            if (each.kind === "insert") {
              const environmentId = 1 + (next % 2)
              const builder = new KeyRunBuilder()
              for (let key = 0; key < each.keys; key++, next++) {
                builder.add(new Uint8Array(words(next).buffer), 0, next)
                known.set(`${environmentId} ${next}`, day)
              }
              runs.insert(builder.finish(environmentId, day))
            } else if (each.kind === "nextDay") day++
            else if (each.kind === "open") runs = new KeyRuns(db, summaryBytes)
            else if (each.kind === "drop") {
              runs.drop(day - each.days)
              forget((_, received) => received < day - each.days)
            } else if (each.kind === "removeAll") {
              run(runs.removeAll(each.environmentId))
              forget((environmentId) => environmentId === each.environmentId)
            } else if (each.kind === "summarize") while (run(runs.summarize()));
            else {
              const some = runs.mergeable()
              if (some !== null) runs.replace(some, run(mergedRun(db, some)))
            }
            if (isLookedUp) look()
          }
          look()
          while (run(runs.summarize()));
          look()
          db.close()
        }
      ),
      { numRuns: runCount(60) }
    ))

  it("a run that loses its place while it is read into a summary is not taken for summarized", () => {
    const db = openForWriting(":memory:")
    const builder = new KeyRunBuilder()
    for (let n = 0; n < 20_000; n++) builder.add(new Uint8Array(words(n).buffer), 0, n)
    new KeyRuns(db).insert(builder.finish(1, firstDay))
    const runs = new KeyRuns(db)
    const has = (n: number) => runs.has(1, firstDay, words(n), 0)
    for (let n = 0; n < 20_000; n++) assert.isTrue(has(n))
    const reading = runs.summarize()
    assert.isFalse(reading.next().done)
    const another = new KeyRunBuilder()
    another.add(new Uint8Array(words(30_000).buffer), 0, 30_000)
    runs.insert(another.finish(2, firstDay - 1))
    // The run of the other environment goes, and with it the summary that both were to share.
    run(runs.removeAll(2))
    assert.isTrue(run(reading))
    for (let n = 0; n < 20_000; n++) assert.isTrue(has(n))
    while (run(runs.summarize()));
    for (let n = 0; n < 20_000; n++) assert.isTrue(has(n))
    assert.isFalse(has(20_000))
    db.close()
  })

  it("a run with a damaged page goes on being asked itself", () => {
    const db = openForWriting(":memory:")
    const builder = new KeyRunBuilder()
    for (let n = 0; n < 5000; n++) builder.add(new Uint8Array(words(n).buffer), 0, n)
    new KeyRuns(db).insert(builder.finish(1, firstDay))
    const last = db.prepare<[], number>("select max(id) from key_page").pluck().get()!
    const lost = db.prepare<[number], number>("delete from key_page where id = ? returning id").pluck().all(last)
    assert.lengthOf(lost, 1)
    const runs = new KeyRuns(db)
    const found = () => {
      let count = 0
      for (let n = 0; n < 5000; n++) if (runs.has(1, firstDay, words(n), 0)) count++
      return count
    }
    const before = found()
    assert.isBelow(before, 5000)
    assert.isTrue(run(runs.summarize()))
    assert.isFalse(run(runs.summarize()))
    assert.strictEqual(found(), before)
    db.close()
  })
})
