import { assert, describe, it } from "@effect/vitest"
import { afterEach, beforeEach, vi } from "vitest"
import { poolOf } from "./PoolOf.ts"

const pass = (milliseconds: number) => vi.advanceTimersByTime(milliseconds)

describe("E6: the readers", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }))
  afterEach(() => void vi.useRealTimers())

  it("answer organizations in turns, and the questions of one in their order", () => {
    const { ask, answer, running, ended } = poolOf({ readers: 1 })
    for (const name of ["a1", "a2", "a3"]) ask(1, name)
    ask(2, "b1")
    ask(3, "c1")
    ask(2, "b2")
    for (let at = 0; at < 6; at++) answer(at)
    assert.deepStrictEqual(running(), [1, 2, 1, 3, 2, 1])
    assert.deepStrictEqual(
      ended.map((each) => each.split(" ")[0]),
      ["a1", "b1", "a2", "c1", "b2", "a3"]
    )
  })

  it("take back for a neighbour what they lent to one organization, whose question begins again", () => {
    const { ask, answer, notice, running, ended } = poolOf()
    for (const name of ["a1", "a2", "a3"]) ask(1, name)
    assert.deepStrictEqual(running(), [1, 1])
    ask(2, "b1")
    notice(1)
    assert.deepStrictEqual(running(), [1, 1, 2])
    answer(2)
    assert.deepStrictEqual(ended, ["b1 Answered"])
    answer(0)
    for (const at of [3, 4]) answer(at)
    assert.deepStrictEqual(ended.toSorted(), ["a1 Answered", "a2 Answered", "a3 Answered", "b1 Answered"])
  })

  it("end a thread that does not give way in time, and lose no question", () => {
    const { ask, answer, running, ended, terminated } = poolOf({ grace: 5 })
    for (const name of ["a1", "a2"]) ask(1, name)
    ask(2, "b1")
    pass(30)
    assert.deepStrictEqual(terminated, [1])
    assert.deepStrictEqual(running(), [1, 1, 2])
    answer(2)
    answer(0)
    answer(3)
    assert.deepStrictEqual(ended, ["b1 Answered", "a1 Answered", "a2 Answered"])
  })

  it("refuse more questions of one organization than may wait, and go on taking those of another", () => {
    const { ask, ended } = poolOf()
    for (let at = 0; at < 7; at++) ask(1, `a${at}`)
    assert.deepStrictEqual(ended, ["a6 Crowded"])
    for (let at = 0; at < 5; at++) ask(2, `b${at}`)
    assert.deepStrictEqual(ended, ["a6 Crowded", "b4 Overloaded"])
  })

  it("count the work against the budget, not the wait, which has its own bound", () => {
    const { ask, answer, ended } = poolOf({ readers: 1, wait: 120 })
    ask(1, "a1")
    ask(2, "b1", 20)
    ask(3, "c1")
    pass(50)
    answer(0)
    answer(1)
    assert.deepStrictEqual(ended, ["a1 Answered", "b1 Answered"])
    ask(4, "d1")
    pass(150)
    assert.deepStrictEqual(ended.slice(2), ["d1 Overloaded"])
  })

  it("end a question that works for longer than its budget", () => {
    const { ask, notice, running, ended } = poolOf({ readers: 1 })
    ask(1, "a1", 10)
    ask(2, "b1")
    pass(30)
    assert.deepStrictEqual(ended, ["a1 TimedOut"])
    notice(0)
    assert.deepStrictEqual(running(), [1, 2])
  })

  it("start when somebody asks, or one of them before, which the first question then finds; none after the end", () => {
    const early = poolOf()
    assert.strictEqual(early.started(), 0)
    for (const _ of [1, 2]) early.pool.startFirst()
    assert.deepStrictEqual([early.started(), early.running()], [1, []])
    early.ask(1, "a1")
    assert.deepStrictEqual([early.started(), early.running()], [1, [1]])
    early.ask(2, "b1")
    assert.strictEqual(early.started(), 2)

    const late = poolOf()
    late.ask(1, "a1")
    late.pool.startFirst()
    assert.deepStrictEqual([late.started(), late.running()], [1, [1]])

    const closed = poolOf()
    let isClosed = false
    closed.pool.close(() => (isClosed = true))
    assert.isTrue(isClosed)
    closed.pool.startFirst()
    closed.ask(1, "a1")
    assert.deepStrictEqual([closed.started(), closed.ended], [0, ["a1 Cancelled"]])
  })

  it("begin anew for the next question after one has died of which nobody had asked anything", () => {
    const { pool, ask, answer, running, ended, replies, started } = poolOf({ readers: 1 })
    pool.startFirst()
    replies[0]!({ type: "failed", id: null, message: "out of memory" })
    ask(1, "a1")
    assert.deepStrictEqual([started(), running()], [2, [1]])
    answer(0)
    ask(1, "a2")
    replies[1]!({ type: "failed", id: null, message: "out of memory" })
    ask(1, "a3")
    assert.deepStrictEqual([started(), ended], [3, ["a1 Answered", "a2 Failed"]])
    replies[2]!({ type: "failed", id: null, message: "out of memory", isExhausted: true })
    ask(1, "a4")
    assert.deepStrictEqual([started(), ended.slice(2)], [4, ["a3 TimedOut"]])
  })

  it("take nothing that a replaced thread still says for the fate of the question that has its seat", () => {
    const { pool, ask, answer, running, ended, exits, replies } = poolOf({ readers: 1, grace: 5 })
    ask(1, "a1", 10)
    ask(2, "b1")
    pass(30)
    assert.deepStrictEqual([running(), ended], [[1, 2], ["a1 TimedOut"]])
    replies[0]!({ type: "failed", id: null, message: "out of memory" })
    exits[0]!()
    answer(1)
    assert.deepStrictEqual(ended, ["a1 TimedOut", "b1 Answered"])
    let isClosed = false
    pool.close(() => (isClosed = true))
    exits[1]!()
    assert.isTrue(isClosed)
  })

  it("fail the question of a thread that ends without a word, and begin anew for the next", () => {
    const { ask, answer, ended, exits } = poolOf({ readers: 1 })
    ask(1, "a1")
    exits[0]!()
    ask(1, "a2")
    answer(1)
    assert.deepStrictEqual(ended, ["a1 Failed", "a2 Answered"])
  })

  it("are closed once every thread has let go of the file, also one that was replaced; one that works on is ended", () => {
    const { pool, ask, exits, ended, terminated } = poolOf({ grace: 5 })
    for (const name of ["a1", "a2"]) ask(1, name)
    ask(2, "b1")
    pass(30)
    assert.deepStrictEqual(terminated, [1])
    let closings = 0
    pool.close(() => closings++)
    assert.deepStrictEqual(ended.toSorted(), ["a1 Cancelled", "a2 Cancelled", "b1 Cancelled"])
    exits[0]!()
    exits[1]!()
    assert.strictEqual(closings, 0)
    pass(30)
    assert.include(terminated, 2)
    exits[2]!()
    assert.strictEqual(closings, 1)
  })
})
