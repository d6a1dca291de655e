import { assert, describe, it } from "@effect/vitest"
import { afterEach, beforeEach, vi } from "vitest"
import { poolOf } from "./PoolOf.ts"

const pass = (milliseconds: number) => vi.advanceTimersByTime(milliseconds)

describe("readers that are asked for a rest", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }))
  afterEach(() => void vi.useRealTimers())

  it("rest once the questions under way have ended, and those that came meanwhile begin afterwards", () => {
    const { pool, ask, answer, running, ended } = poolOf()
    const rests: Array<() => void> = []
    for (const name of ["a1", "a2"]) ask(1, name)
    pool.rest({ patience: 50, mostLost: -1, mostRests: 1 }, (resume) => rests.push(resume), assert.fail)
    ask(2, "b1")
    answer(0)
    assert.deepStrictEqual([running(), rests.length], [[1, 1], 0])
    answer(1)
    assert.deepStrictEqual([running(), rests.length], [[1, 1], 1])
    ask(3, "c1")
    pass(100)
    assert.deepStrictEqual([running(), rests.length], [[1, 1], 1])
    rests[0]!()
    assert.deepStrictEqual(
      [running(), ended],
      [
        [1, 1, 2, 3],
        ["a1 Answered", "a2 Answered"]
      ]
    )
  })

  it("do not rest where a question would lose too much by it, and go on with those that wait", () => {
    const { pool, ask, answer, running, ended } = poolOf()
    const busy: Array<string> = []
    for (const name of ["a1", "a2"]) ask(1, name)
    pool.rest(
      { patience: 50, mostLost: -1, mostRests: 1 },
      () => assert.fail("rests"),
      () => busy.push("busy")
    )
    answer(0)
    ask(2, "b1")
    assert.deepStrictEqual(running(), [1, 1])
    pass(50)
    assert.deepStrictEqual([busy, running(), ended], [["busy"], [1, 1, 2], ["a1 Answered"]])
  })

  it("stop for a rest what would lose little by it, and begin it again", () => {
    const { pool, ask, answer, notice, running, ended } = poolOf()
    const rests: Array<() => void> = []
    for (const name of ["a1", "a2"]) ask(1, name)
    pool.rest({ patience: 50, mostLost: 60_000, mostRests: 1 }, (resume) => rests.push(resume), assert.fail)
    answer(0)
    pass(50)
    notice(1)
    assert.deepStrictEqual([running(), rests.length], [[1, 1], 1])
    rests[0]!()
    answer(2)
    assert.deepStrictEqual(
      [running(), ended],
      [
        [1, 1, 1],
        ["a1 Answered", "a2 Answered"]
      ]
    )
  })

  it("begin again all that they have stopped for a rest, side by side, where no other owner wants a thread", () => {
    const { pool, ask, answer, notice, running, ended } = poolOf()
    const rests: Array<() => void> = []
    for (const name of ["a1", "a2", "a3"]) ask(1, name)
    pool.rest({ patience: 50, mostLost: 60_000, mostRests: 1 }, (resume) => rests.push(resume), assert.fail)
    pass(50)
    for (const at of [0, 1]) notice(at)
    assert.deepStrictEqual([running(), rests.length], [[1, 1], 1])
    rests[0]!()
    assert.deepStrictEqual(running(), [1, 1, 1, 1])
    answer(2)
    assert.deepStrictEqual(running(), [1, 1, 1, 1, 1])
    for (const at of [3, 4]) answer(at)
    assert.deepStrictEqual(ended.toSorted(), ["a1 Answered", "a2 Answered", "a3 Answered"])
  })

  it("stop a question for a rest as often as is allowed, and no more, however soon the next one is asked for", () => {
    const { pool, ask, answer, notice, running, ended } = poolOf({ readers: 1 })
    const rests: Array<() => void> = []
    const busy: Array<number> = []
    const rest = (mostRests: number) => {
      pool.rest(
        { patience: 50, mostLost: 60_000, mostRests },
        (resume) => rests.push(resume),
        () => busy.push(mostRests)
      )
      pass(50)
    }
    ask(1, "a1")
    for (const [at, mostRests] of [1, 2].entries()) {
      rest(mostRests)
      notice(at)
      rests[at]!()
      rest(mostRests)
    }
    assert.deepStrictEqual([running(), rests.length, busy], [[1, 1, 1], 2, [1, 2]])
    answer(2)
    assert.deepStrictEqual(ended, ["a1 Answered"])
  })
})
