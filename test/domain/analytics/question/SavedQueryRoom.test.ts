import { assert, describe, it } from "@effect/vitest"
import { mayBecome, mayBeSaved, mostSavedQueries } from "../../../../src/domain/analytics/question/SavedQueryRoom.ts"

describe("a project has room for a saved query", () => {
  const query = { definition: "{}", description: "of four" }
  const length = 9

  it.each([
    ["where there is none", { count: 0, characters: 0 }, true],
    ["where it is the last that may be", { count: mostSavedQueries.count - 1, characters: 0 }, true],
    ["unless there are as many as may be", { count: mostSavedQueries.count, characters: 0 }, false],
    ["where it takes all that is left", { count: 1, characters: mostSavedQueries.characters - length }, true],
    ["unless it takes more", { count: 1, characters: mostSavedQueries.characters - length + 1 }, false]
  ])("%s", (_, size, isThere) => {
    assert.strictEqual(mayBeSaved(size, query), isThere)
  })

  it("that does not grow, however much there is", () => {
    const size = { count: 2 * mostSavedQueries.count, characters: 2 * mostSavedQueries.characters }
    assert.isTrue(mayBecome(size, query, { definition: "[]", description: "of fore" }))
    assert.isFalse(mayBecome(size, query, { ...query, description: "of fours" }))
  })
})
