import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Option, Scope } from "effect"
import { mebibyte } from "../../../src/domain/LruCache.ts"
import { largeBuilds } from "../../../src/services/game/LargeBuilds.ts"

/** Lets other fibers go as far as they can. */
const others = Effect.repeatN(Effect.yieldNow(), 50)

describe("what games read of large environments", () => {
  it.effect("is made two at a time, small ones at once", () =>
    Effect.gen(function* () {
      const beginning = yield* largeBuilds
      /** Begins a build that holds so many bytes, one part after the other; it ends with its scope. */
      const begin = Effect.fnUntraced(function* (...parts: ReadonlyArray<number>) {
        const scope = yield* Scope.make()
        const holds = yield* beginning
        const steps = Effect.forEach(parts, holds, { discard: true })
        const fiber = yield* Effect.fork(Scope.extend(steps, scope))
        const isWaiting = Effect.map(Effect.zipRight(others, Fiber.poll(fiber)), Option.isNone)
        return { fiber, isWaiting, goesOn: Fiber.join(fiber), end: Scope.close(scope, Exit.void) }
      })
      const large = mebibyte + 1

      const first = yield* begin(large, large, large)
      const second = yield* begin(mebibyte, 1)
      const third = yield* begin(large)
      const fourth = yield* begin(large)
      const small = yield* begin(mebibyte)
      yield* Effect.all([first.goesOn, second.goesOn, small.goesOn])
      assert.deepStrictEqual(yield* Effect.all([third.isWaiting, fourth.isWaiting]), [true, true])

      yield* Fiber.interrupt(third.fiber)
      yield* third.end
      yield* first.end
      yield* fourth.goesOn
      const fifth = yield* begin(large)
      assert.isTrue(yield* fifth.isWaiting)
      yield* second.end
      yield* fifth.goesOn
      yield* Effect.all([small.end, fourth.end, fifth.end])
    })
  )
})
