import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { ListNumbers } from "../../src/domain/ListNumbers.ts"
import { runCount } from "../support/Runs.ts"
import { seeded } from "../support/Seeded.ts"

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

  it("stay while there are more lists than one generation holds, instead of being given anew at every turn", () => {
    const random = seeded(15)
    const combinations = Array.from({ length: 6000 }, () =>
      Array.from({ length: 15 }, (_, group) => ({ group, version: random() < 0.5 ? 0 : 1 }))
    )
    const numbers = numbersOf(20_000)
    const given = new Set<number>()
    for (let turn = 0; turn < 60_000; turn++)
      given.add(numbers.of(combinations[Math.floor(random() * combinations.length)] ?? []))
    assert.isAtMost(given.size, 2 * combinations.length)
  })

  it("are forgotten of lists that nobody asks about while two generations pass", () => {
    const numbers = numbersOf(10)
    const once = [{ group: 1, version: 1 }]
    const first = numbers.of(once)
    for (let group = 2; group < 7; group++) numbers.of([{ group, version: 1 }])
    assert.strictEqual(numbers.of(once), first)
    for (let group = 10; group < 40; group++) numbers.of([{ group, version: 1 }])
    assert.isAbove(numbers.of(once), first)
  })
})
