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
})
