import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { longPage, mostPageCharacters } from "../../src/services/LongPage.ts"

const numbers = Array.from({ length: 120 }, (_, at) => at + 1)

/** Reads the numbers 1 to 120, and notes how many were asked for. */
const reader = (asked: Array<number>) => (after: number | null, most: number) => {
  asked.push(most)
  return Effect.succeed(numbers.filter((each) => after === null || each > after).slice(0, most))
}

it.effect.each([
  [1, 1, true],
  [50, 50, true],
  [119, 119, true],
  [120, 120, false],
  [1000, 120, false]
] as const)("a page of at most %i short items", ([limit, length, isMore]) =>
  Effect.gen(function* () {
    const page = yield* longPage(limit, () => 1, reader([]))
    assert.deepStrictEqual(page, { items: numbers.slice(0, length), isMore })
  })
)

it.effect("a page ends before items that are too long together, and no further ones are read", () =>
  Effect.gen(function* () {
    const asked: Array<number> = []
    const page = yield* longPage(1000, () => mostPageCharacters / 4, reader(asked))
    assert.deepStrictEqual(page, { items: [1, 2, 3, 4], isMore: true })
    assert.lengthOf(asked, 1)
  })
)

it.effect("one item is in a page however long it is", () =>
  Effect.gen(function* () {
    const page = yield* longPage(10, () => 2 * mostPageCharacters, reader([]))
    assert.deepStrictEqual(page, { items: [1], isMore: true })
  })
)
