import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, TestClock } from "effect"
import { movingOn } from "../../../src/adapters/clickhouse/analytics/MovingOn.ts"
import { MetadataUnavailable } from "../../../src/ports/operations/MetadataUnavailable.ts"

describe("markers that wait for ClickHouse", () => {
  it.effect("are moved each second, and go on being moved after a round that failed or died", () =>
    Effect.gen(function* () {
      const ends = [
        Effect.void,
        Effect.fail(new MetadataUnavailable()),
        Effect.die(new MetadataUnavailable()),
        Effect.void
      ]
      const rounds: Array<number> = []
      const round = Effect.suspend(() => {
        rounds.push(rounds.length)
        return ends[rounds.length - 1] ?? Effect.void
      })
      const moving = yield* Effect.fork(movingOn(round))
      const after = (seconds: number) =>
        Effect.as(TestClock.adjust(`${seconds} seconds`), rounds).pipe(Effect.map(({ length }) => length))
      assert.strictEqual(yield* after(1), 1)
      assert.strictEqual(yield* after(1), 2)
      assert.strictEqual(yield* after(10), 2)
      assert.strictEqual(yield* after(1), 3)
      assert.strictEqual(yield* after(11), 4)
      assert.strictEqual(yield* after(3), 7)
      yield* Fiber.interrupt(moving)
      assert.strictEqual(yield* after(5), 7)
    })
  )
})
