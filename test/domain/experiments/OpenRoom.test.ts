import { assert, describe, it } from "@effect/vitest"
import {
  mayBecome,
  mayBegin,
  mayBeKept,
  mayBeKeptAs,
  mostKept,
  mostOpen
} from "../../../src/domain/experiments/OpenRoom.ts"

describe("an environment has room for an experiment", () => {
  const none = "[]".length

  it.each([
    ["where there is none", { count: 0, characters: 0 }, true],
    ["where it is the last that may be", { count: mostOpen.count - 1, characters: 0 }, true],
    ["unless there are as many as may be", { count: mostOpen.count, characters: 0 }, false],
    ["where it takes all that is left", { count: 1, characters: mostOpen.characters - none }, true],
    ["unless it takes more", { count: 1, characters: mostOpen.characters - none + 1 }, false]
  ])("%s", (_, size, isThere) => {
    assert.strictEqual(mayBegin(size, { groups: [], metrics: "" }), isThere)
  })

  it.each([
    ["that grows into all that is left", mostOpen.characters - 2, true],
    ["unless it grows further", mostOpen.characters - 1, false]
  ])("%s", (_, characters, isThere) => {
    const [before, after] = [
      { groups: [], metrics: "" },
      { groups: [], metrics: "{}" }
    ]
    assert.strictEqual(mayBecome({ count: mostOpen.count, characters }, before, after), isThere)
  })

  it("that does not grow, however much there is", () => {
    const size = { count: mostOpen.count + 1, characters: 2 * mostOpen.characters }
    assert.isTrue(mayBecome(size, { groups: [], metrics: "{}" }, { groups: [], metrics: "[]" }))
  })

  it("beside those that have ended, and for what becomes of one of these", () => {
    const [small, large] = [
      { groups: [], metrics: "" },
      { groups: [], metrics: "{}" }
    ]
    const [full, crowded] = [
      { count: 1, characters: mostKept.characters - none },
      { count: mostKept.count, characters: 0 }
    ]
    assert.deepStrictEqual(
      [mayBeKept(full, small), mayBeKept(full, large), mayBeKept(crowded, small)],
      [true, false, false]
    )
    assert.deepStrictEqual([mayBeKeptAs(full, small, large), mayBeKeptAs(mostKept, small, large)], [true, false])
  })
})
