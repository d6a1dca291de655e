import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { entryBytes, LruCache, textBytes } from "../../src/domain/LruCache.ts"
import { runCount } from "../support/Runs.ts"

type Step =
  | { readonly do: "set"; readonly key: string; readonly bytes: number }
  | { readonly do: "get" | "delete"; readonly key: string }
  | { readonly do: "clear" }
  | { readonly do: "reserve"; readonly bytes: number }

const key = fc.constantFrom("", "a", "bb", "ccc", "a key of more letters")

const steps: fc.Arbitrary<ReadonlyArray<Step>> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant("set" as const), key, bytes: fc.nat({ max: 700 }) }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant("get" as const), key }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("delete" as const), key }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("clear" as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("reserve" as const), bytes: fc.nat({ max: 2100 }) }) }
  ),
  { maxLength: 60 }
)

interface Kept {
  readonly key: string
  readonly value: { readonly bytes: number }
}

const bytesOf = ({ key, value }: Kept) => entryBytes + textBytes(key) + value.bytes

/** The same by a list from the least to the most recently used. */
const model = (budget: number) => {
  let kept: ReadonlyArray<Kept> = []
  let left = budget
  const without = (key: string) => kept.filter((each) => each.key !== key)
  const bytes = () => kept.reduce((sum, each) => sum + bytesOf(each), 0)
  return {
    bytes,
    size: () => kept.length,
    get: (key: string) => {
      const found = kept.find((each) => each.key === key)
      if (found !== undefined) kept = [...without(key), found]
      return found?.value
    },
    set: (key: string, value: Kept["value"]) => {
      kept = without(key)
      if (bytesOf({ key, value }) > left) return
      kept = [...kept, { key, value }]
      while (bytes() > left) kept = kept.slice(1)
    },
    reserve: (reserved: number) => {
      left = budget - reserved
      while (kept.length > 0 && bytes() > left) kept = kept.slice(1)
    },
    delete: (key: string) => {
      kept = without(key)
    },
    clear: () => {
      kept = []
    }
  }
}

describe("the least recently used cache", () => {
  it("keeps what a list in the order of use keeps, and never more bytes than its budget without what is reserved", () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 0, max: 2000 }), (script, budget) => {
        const cache = new LruCache<Kept["value"]>(budget, ({ bytes }) => bytes)
        const expected = model(budget)
        for (const step of script) {
          if (step.do === "set") {
            const value = { bytes: step.bytes }
            cache.set(step.key, value)
            expected.set(step.key, value)
          } else if (step.do === "get") assert.strictEqual(cache.get(step.key), expected.get(step.key))
          else if (step.do === "delete") {
            cache.delete(step.key)
            expected.delete(step.key)
          } else if (step.do === "reserve") {
            cache.reserve(step.bytes)
            expected.reserve(step.bytes)
          } else {
            cache.clear()
            expected.clear()
          }
          assert.strictEqual(cache.bytes, expected.bytes())
          assert.strictEqual(cache.size, expected.size())
          assert.isAtMost(cache.bytes, budget)
        }
        for (const each of ["", "a", "bb", "ccc", "a key of more letters"])
          assert.strictEqual(cache.get(each), expected.get(each))
      }),
      { numRuns: runCount(1000) }
    )
  })

  it("counts a value as it was when it was set, also where it has grown since", () => {
    const value = { bytes: 10 }
    const cache = new LruCache<typeof value, number>(1000, ({ bytes }) => bytes)
    cache.set(1, value)
    value.bytes = 500
    cache.delete(1)
    assert.deepStrictEqual([cache.bytes, cache.size], [0, 0])
  })

  it("keeps the newest of many entries, where one leaves for each that comes", () => {
    const cache = new LruCache<null, number>(20_000 * (entryBytes + 8), () => 0)
    for (let n = 0; n < 60_000; n++) cache.set(n, null)
    assert.deepStrictEqual([cache.size, cache.get(39_999), cache.get(40_000)], [20_000, undefined, null])
  })
})
