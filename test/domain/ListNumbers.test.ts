import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { ListNumbers } from "../../src/domain/ListNumbers.ts"
import { runCount } from "../support/Runs.ts"

type Item = {
  readonly group: number
  readonly version: number
}

const numbersOf = (most: number) =>
  new ListNumbers<Item, Item>({
    most,
    keyOf: ({ group }) => group,
    factsOf: (each) => each
  })

const item = FastCheck.record({ group: FastCheck.nat(3), version: FastCheck.nat(2) })
const lists = FastCheck.array(FastCheck.array(item, { maxLength: 5 }), { maxLength: 60 })

describe("numbers of lists", () => {
  it("are the same for the same lists, and for no others", () => {
    FastCheck.assert(
      FastCheck.property(lists, (all) => {
        const numbers = numbersOf(10_000)
        const texts = new Map<number, string>()
        const given = new Map<string, number>()
        for (const list of all) {
          const [number, text] = [numbers.of(list), JSON.stringify(list)]
          assert.strictEqual(texts.get(number) ?? text, text)
          assert.strictEqual(given.get(text) ?? number, number)
          texts.set(number, text)
          given.set(text, number)
        }
      }),
      { numRuns: runCount(500) }
    )
  })

  it("are never those of other lists, also where they were forgotten in between", () => {
    FastCheck.assert(
      FastCheck.property(lists, FastCheck.nat(20), (all, most) => {
        const numbers = numbersOf(most)
        const texts = new Map<number, string>()
        for (const list of all) {
          const [number, text] = [numbers.of(list), JSON.stringify(list)]
          assert.strictEqual(texts.get(number) ?? text, text)
          texts.set(number, text)
        }
      }),
      { numRuns: runCount(500) }
    )
  })
})
