import { assert, describe, it } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, Logger, LogLevel } from "effect"
import { MetadataUnavailable } from "../../src/ports/operations/MetadataUnavailable.ts"
import { nextTurn } from "../../src/ports/operations/NextTurn.ts"
import { makeGroups } from "../../src/services/Groups.ts"

const untilIdle = Effect.repeatN(nextTurn, 20)

describe("groups", () => {
  it.scoped("hold what came while the one before was under way, in order and no more than may go together", () =>
    Effect.gen(function* () {
      const groups: Array<ReadonlyArray<number>> = []
      const gate = yield* Deferred.make<void>()
      const { ask } = yield* makeGroups<number, string>({
        most: 5,
        sizeOf: (size) => size,
        handle: (requests) =>
          Effect.suspend(() => {
            groups.push(requests)
            return Effect.as(
              Deferred.await(gate),
              requests.map((request) => `answer to ${request}`)
            )
          })
      })
      const first = yield* Effect.fork(ask(1))
      yield* untilIdle
      const others = yield* Effect.forEach([2, 3, 9, 1], (request) => Effect.fork(ask(request)))
      yield* untilIdle
      yield* Deferred.succeed(gate, undefined)
      const asking = [first, ...others]
      const answers = yield* Effect.forEach(asking, Fiber.join)
      assert.deepStrictEqual(groups, [[1], [2, 3], [9], [1]])
      assert.deepStrictEqual(answers, ["answer to 1", "answer to 2", "answer to 3", "answer to 9", "answer to 1"])
      assert.strictEqual(yield* ask(4), "answer to 4")
    })
  )

  it.scoped("are of all that come in one turn of the event loop, one after the other", () =>
    Effect.gen(function* () {
      const groups: Array<ReadonlyArray<number>> = []
      const { ask } = yield* makeGroups<number, number>({
        most: 10,
        sizeOf: () => 1,
        handle: (requests) =>
          Effect.sync(() => {
            groups.push(requests)
            return requests
          })
      })
      const asking = yield* Effect.forEach([1, 2, 3], (request) => Effect.fork(ask(request)))
      yield* Effect.forEach(asking, Fiber.join)
      assert.deepStrictEqual(groups, [[1, 2, 3]])
    })
  )

  it.scoped("fail alone those requests that are at fault", () =>
    Effect.gen(function* () {
      const { ask } = yield* makeGroups<number, number>({
        most: 10,
        sizeOf: () => 1,
        handle: (requests) =>
          Effect.zipRight(
            Effect.yieldNow(),
            requests.includes(3) ? Effect.die("three") : Effect.succeed(requests.map((request) => request * 2))
          )
      })
      const exits = yield* Effect.forEach([1, 2, 3, 4], (request) => Effect.exit(ask(request)), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, true, false, true])
      assert.deepStrictEqual(exits[2], Exit.failCause(Cause.die("three")))
    })
  )

  it.scoped("fail together where the database is away, without waiting for it once for each request", () =>
    Effect.gen(function* () {
      const groups: Array<number> = []
      const { ask } = yield* makeGroups<number, number>({
        most: 10,
        sizeOf: () => 1,
        handle: (requests) => {
          groups.push(requests.length)
          return Effect.die(new MetadataUnavailable())
        }
      })
      const exits = yield* Effect.forEach([1, 2, 3], (request) => Effect.exit(ask(request)), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(exits.map(Exit.isFailure), [true, true, true])
      assert.deepStrictEqual(groups, [3])
    })
  )

  it.scoped("go on when telling one of them its answer dies", () =>
    Effect.gen(function* () {
      const told: Array<number> = []
      const { ask, join } = yield* makeGroups<number, number>({
        most: 10,
        sizeOf: () => 1,
        handle: Effect.succeed
      })
      for (const request of [1, 2, 3])
        join(request, () => {
          if (request === 2) assert.fail("it hung up")
          told.push(request)
        })
      yield* untilIdle
      assert.deepStrictEqual(told, [1, 3])
      assert.strictEqual(yield* ask(4), 4)
    }).pipe(Logger.withMinimumLogLevel(LogLevel.None))
  )

  it.scoped("go on when those who asked hang up", () =>
    Effect.gen(function* () {
      const handled: Array<number> = []
      const gate = yield* Deferred.make<void>()
      const { ask } = yield* makeGroups<number, number>({
        most: 10,
        sizeOf: () => 1,
        handle: (requests) =>
          Effect.as(
            Effect.zipRight(
              Deferred.await(gate),
              Effect.sync(() => handled.push(...requests))
            ),
            requests
          )
      })
      const asking = yield* Effect.forEach([1, 2], (request) => Effect.fork(ask(request)))
      yield* untilIdle
      yield* Fiber.interruptAll(asking)
      yield* Deferred.succeed(gate, undefined)
      assert.strictEqual(yield* ask(3), 3)
      assert.deepStrictEqual(handled, [1, 2, 3])
    })
  )
})
