import { assert, describe, it } from "@effect/vitest"
import { mayBeAdded, mayBecome, mostDeeplinks } from "../../../src/domain/deeplinks/DeeplinkRoom.ts"

describe("a project has room for a deeplink", () => {
  const none = "{}".length

  it.each([
    ["where there is none", { count: 0, characters: 0 }, true],
    ["where it is the last that may be", { count: mostDeeplinks.count - 1, characters: 0 }, true],
    ["unless there are as many as may be", { count: mostDeeplinks.count, characters: 0 }, false],
    ["where it takes all that is left", { count: 1, characters: mostDeeplinks.characters - none }, true],
    ["unless it takes more", { count: 1, characters: mostDeeplinks.characters - none + 1 }, false]
  ])("%s", (_, size, isThere) => {
    assert.strictEqual(mayBeAdded(size, { metadata: {} }), isThere)
  })

  it("that does not grow, however much there is", () => {
    const size = { count: 2 * mostDeeplinks.count, characters: 2 * mostDeeplinks.characters }
    assert.isTrue(mayBecome(size, { metadata: { a: 1 } }, { metadata: { a: 2 } }))
    assert.isFalse(mayBecome(size, { metadata: { a: 1 } }, { metadata: { a: 12 } }))
  })
})
