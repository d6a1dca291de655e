import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { inTurns } from "../../src/services/InTurns.ts"
import { tickingClock } from "../support/TickingClock.ts"

/** Turns of the event loop that others get while the work is done. */
const turnsDuring = <A>(work: Effect.Effect<A>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const turns = { count: 0, next: setImmediate(() => undefined) }
      const beat = () => {
        turns.count++
        turns.next = setImmediate(beat)
      }
      beat()
      return turns
    }),
    (turns) => Effect.map(work, (value) => ({ value, turns: turns.count - 1 })),
    (turns) => Effect.sync(() => clearImmediate(turns.next))
  )

function* counted(count: number, done: Array<number>): Generator<undefined, string> {
  for (let at = 0; at < count; at++) {
    if (at > 0) yield undefined
    done.push(at)
  }
  return "all"
}

describe("work in turns", () => {
  const rows = [
    { name: "a turn after each step that fills a slice", millisPerLook: 5, least: 9 },
    { name: "a turn after some steps that fill it together", millisPerLook: 1, least: 4 },
    { name: "all steps where they fit into one slice", millisPerLook: 0, least: 0 }
  ]
  for (const { name, millisPerLook, least } of rows) {
    it.live(name, () =>
      Effect.gen(function* () {
        const done: Array<number> = []
        const { value, turns } = yield* turnsDuring(inTurns(() => counted(10, done)))
        assert.strictEqual(value, "all")
        assert.deepStrictEqual(done, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
        assert.isAtLeast(turns, least)
      }).pipe(Effect.provide(tickingClock(millisPerLook, 100).layer))
    )
  }

  it.live("no step after an interruption, and all of them when it is done again", () =>
    Effect.gen(function* () {
      const done: Array<number> = []
      const work = inTurns(() => counted(10, done))
      const fiber = yield* Effect.fork(work)
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(fiber)
      assert.isBelow(done.length, 10)
      const before = done.length
      assert.strictEqual(yield* work, "all")
      assert.strictEqual(done.length, before + 10)
    }).pipe(Effect.provide(tickingClock(4, 100).layer))
  )
})
