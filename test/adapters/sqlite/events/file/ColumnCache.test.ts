import { assert, describe, it } from "@effect/vitest"
import { ColumnCache } from "../../../../../src/adapters/sqlite/events/file/ColumnCache.ts"

const mebibyte = 1024 * 1024

describe("the cache of decoded columns", () => {
  it("counts a column once, however often it is set", () => {
    const cache = new ColumnCache(mebibyte)
    cache.set("1 time", new Float64Array(1000))
    const once = cache.bytes
    for (let turn = 0; turn < 1000; turn++) cache.set("1 time", new Float64Array(1000))
    assert.strictEqual(cache.bytes, once)
    assert.isDefined(cache.get("1 time"))
  })

  it("counts its keys, which name every row of a listing", () => {
    const cache = new ColumnCache(mebibyte)
    const rows = Array.from({ length: 100_000 }, (_, row) => row).join()
    const keys = Array.from({ length: 20 }, (_, turn) => `${turn} at ${rows} unit`)
    for (const key of keys) cache.set(key, new Uint32Array(1))
    const kept = keys.filter((key) => cache.get(key) !== undefined)
    assert.isAtMost(kept.join("").length, mebibyte)
  })

  it("remembers what was asked for, unless it keeps nothing", () => {
    const asked = (cache: ColumnCache) => ["a", "b", "a", "a"].map((what) => cache.isWantedAgain(what))
    assert.deepStrictEqual(asked(new ColumnCache(mebibyte)), [false, false, true, true])
    assert.deepStrictEqual(asked(new ColumnCache(0)), [false, false, false, false])
  })

  it("leaves room to what a question holds, all kinds together, until it ends, and keeps a quarter", () => {
    const cache = new ColumnCache(8 * mebibyte)
    const fill = () => {
      for (let column = 0; column < 64; column++) cache.set(`${column} unit`, new Uint32Array(mebibyte / 32))
    }
    fill()
    assert.isAbove(cache.bytes, 7 * mebibyte)
    cache.working.hold("rows", 3 * mebibyte)
    cache.working.hold("groups", 2 * mebibyte)
    assert.isAtMost(cache.bytes, 3 * mebibyte)
    cache.working.hold("groups", 1)
    fill()
    assert.isAbove(cache.bytes, 4 * mebibyte)
    cache.working.hold("values", 100 * mebibyte)
    fill()
    assert.isAtMost(cache.bytes, 2 * mebibyte)
    assert.isAbove(cache.bytes, mebibyte)
    cache.beginQuestion()
    fill()
    assert.isAbove(cache.bytes, 7 * mebibyte)
  })

  /** A cache in a thread that frees nothing until it collects, and whose question holds `held` bytes beside the cache. */
  const threadOf = (budget: number, held: number) => {
    let [made, collections, most] = [0, 0, 0]
    const cache = new ColumnCache(budget, {
      bytes: () => made + held,
      collect: () => {
        made = cache.bytes
        collections++
      }
    })
    const decode = (from: number, to: number) => {
      for (let column = from; column < to; column++) {
        made += mebibyte
        cache.set(`${column} unit`, new Uint32Array(mebibyte / 4))
        most = Math.max(most, made + held)
      }
    }
    return { cache, decode, collections: () => collections, most: () => most }
  }

  it("has one budget for columns, for what a question holds beside them and for what was dropped", () => {
    for (const held of [0, 40, 70]) {
      const { cache, decode, collections, most } = threadOf(128 * mebibyte, held * mebibyte)
      for (let question = 0; question < 4; question++) {
        cache.beginQuestion()
        decode(question * 150, question * 150 + 150)
        assert.isAtLeast(cache.bytes, 25 * mebibyte, "columns are kept")
      }
      assert.isAtMost(most(), Math.max(128, held + 32 + 32) * mebibyte + 2 * mebibyte)
      assert.isAtMost(collections(), 600 / 16, "a collection is worth its time")
    }
  })

  it("collects nothing while all of it finds room", () => {
    const { cache, decode, collections } = threadOf(128 * mebibyte, 0)
    for (let question = 0; question < 4; question++) {
      cache.beginQuestion()
      decode(question * 30, question * 30 + 30)
    }
    assert.strictEqual(collections(), 0)
    assert.isAbove(cache.bytes, 119 * mebibyte)
  })

  it("does not collect for each question where what the thread keeps for all of them takes the budget", () => {
    const { cache, decode, collections, most } = threadOf(32 * mebibyte, 31 * mebibyte)
    for (let question = 0; question < 100; question++) {
      cache.beginQuestion()
      decode(question * 2, question * 2 + 2)
    }
    assert.isAtMost(collections(), 200 / 8, "a collection is worth its time")
    assert.isAtMost(most(), (31 + 8 + 16 + 2) * mebibyte)
  })

  it("keeps a quarter beside a question that holds more than the budget, and goes on collecting in portions", () => {
    const { cache, decode, collections, most } = threadOf(128 * mebibyte, 200 * mebibyte)
    cache.beginQuestion()
    decode(0, 300)
    assert.isAtMost(most(), (200 + 32 + 32 + 2) * mebibyte)
    assert.isAtLeast(cache.bytes, 31 * mebibyte)
    assert.isAtMost(collections(), 300 / 30 + 2)
  })
})
