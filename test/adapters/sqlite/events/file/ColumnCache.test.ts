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

  it("has what it dropped collected in time once a question has dropped half of its room, and goes on to keep what it can", () => {
    let collections = 0
    const cache = new ColumnCache(128 * mebibyte, () => collections++)
    const decode = (from: number, to: number) => {
      for (let column = from; column < to; column++) cache.set(`${column} unit`, new Uint32Array(mebibyte / 4))
    }
    decode(0, 120)
    assert.strictEqual(collections, 0, "all of it is kept")
    decode(120, 180)
    assert.strictEqual(collections, 0, "a question that drops little is left to V8")
    decode(180, 200)
    assert.isAtLeast(collections, 1)
    assert.isAbove(cache.bytes, 100 * mebibyte)
    const before = collections
    decode(200, 360)
    assert.isAtLeast(collections - before, 4)
    cache.beginQuestion()
    decode(360, 380)
    assert.isAbove(cache.bytes, 100 * mebibyte)
  })
})
