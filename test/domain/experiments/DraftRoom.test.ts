import { assert, describe, it } from "@effect/vitest"
import { mayBecome, mayBeDrafted, mostDrafts } from "../../../src/domain/experiments/DraftRoom.ts"

describe("an environment has room for a draft", () => {
  const plan = "{}"

  it.each([
    ["where it is the last that may be", { count: mostDrafts.count - 1, characters: 0 }, true],
    ["unless there are as many as may be", { count: mostDrafts.count, characters: 0 }, false],
    ["where it takes all that is left", { count: 1, characters: mostDrafts.characters - plan.length }, true],
    ["unless it takes more", { count: 1, characters: mostDrafts.characters - plan.length + 1 }, false]
  ])("%s", (_, size, isThere) => {
    assert.strictEqual(mayBeDrafted(size, { plan }), isThere)
  })

  it("that becomes another one, unless it grows further than is left", () => {
    const size = { count: mostDrafts.count + 1, characters: mostDrafts.characters }
    assert.isTrue(mayBecome(size, { plan }, { plan }))
    assert.isFalse(mayBecome(size, { plan }, { plan: `${plan} ` }))
  })
})
