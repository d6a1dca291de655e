import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Either, Fiber, TestClock } from "effect"
import { makeQuestionTurns } from "../../../src/adapters/clickhouse/questions/QuestionTurns.ts"

const limits = { seats: 3, queue: 20, queueOfOwner: 5, wait: 30_000 }

/** Questions that are under way until they are answered, by name, and how often each has begun. */
const desk = (changes: Partial<typeof limits> = {}) => {
  const inTurn = makeQuestionTurns({ ...limits, ...changes })
  const begun: Array<string> = []
  const underWay = new Map<string, Deferred.Deferred<string>>()
  const question = (name: string) =>
    Effect.gen(function* () {
      const answer = yield* Deferred.make<string>()
      begun.push(name)
      underWay.set(name, answer)
      return yield* Effect.ensuring(
        Deferred.await(answer),
        Effect.sync(() => underWay.delete(name))
      )
    })
  /** Until nothing more happens by itself. */
  const settled = Effect.repeatN(Effect.yieldNow(), 200)
  const ask = (owner: number, name: string) =>
    Effect.zipLeft(Effect.fork(Effect.either(inTurn(owner, question(name)))), settled)
  const answer = (name: string) => {
    const waiting = underWay.get(name)
    return waiting === undefined
      ? Effect.die(`${name} is not under way`)
      : Effect.zipRight(Deferred.succeed(waiting, name), settled)
  }
  return { ask, answer, begun, settled, names: () => [...underWay.keys()] }
}

const reasonOf = <A, E extends { readonly _tag: string }>(answer: Either.Either<A, E>) =>
  Either.match(answer, { onLeft: ({ _tag }) => _tag, onRight: () => "answered" })

describe("Questions to ClickHouse take turns by organization", () => {
  it.effect("and who cannot be interrupted is answered, or refused when the wait is over", () =>
    Effect.gen(function* () {
      const inTurn = makeQuestionTurns({ ...limits, seats: 1 })
      const answer = yield* Deferred.make<string>()
      const first = yield* Effect.fork(Effect.uninterruptible(inTurn(1, Deferred.await(answer))))
      const second = yield* Effect.fork(Effect.uninterruptible(Effect.either(inTurn(1, Effect.succeed("second")))))
      yield* TestClock.adjust(limits.wait)
      assert.strictEqual(reasonOf(yield* Fiber.join(second)), "StoreOverloaded")
      yield* Deferred.succeed(answer, "first")
      assert.strictEqual(yield* Fiber.join(first), "first")
    })
  )

  it.effect("and who asks alone has every seat", () =>
    Effect.gen(function* () {
      const { ask, answer, names } = desk()
      const asked = yield* Effect.forEach(["a", "b", "c", "d"], (name) => ask(1, name))
      assert.deepStrictEqual(names(), ["a", "b", "c"])
      yield* answer("b")
      assert.deepStrictEqual(names(), ["a", "c", "d"])
      for (const name of names()) yield* answer(name)
      assert.deepStrictEqual(yield* Effect.forEach(asked, Fiber.join), ["a", "b", "c", "d"].map(Either.right))
    })
  )

  it.effect("so that another's question begins at once, and the one that gave way begins again and is answered", () =>
    Effect.gen(function* () {
      const { ask, answer, begun, names } = desk()
      const heavy = yield* Effect.forEach(["a", "b", "c", "d"], (name) => ask(1, name))
      const light = yield* ask(2, "x")
      assert.deepStrictEqual(names(), ["a", "b", "x"])
      const third = yield* ask(3, "y")
      assert.deepStrictEqual(names(), ["a", "x", "y"])
      const fourth = yield* ask(4, "z")
      assert.deepStrictEqual(names(), ["a", "x", "y"])
      for (const name of ["x", "y", "z", "a"]) yield* answer(name)
      while (names().length > 0) yield* answer(names()[0]!)
      for (const fiber of [...heavy, light, third, fourth])
        assert.strictEqual(reasonOf(yield* Fiber.join(fiber)), "answered")
      const times = (name: string) => begun.filter((each) => each === name).length
      assert.deepStrictEqual(["a", "b", "c", "d", "x", "y", "z"].map(times), [1, 2, 2, 1, 1, 1, 1])
    })
  )

  it.effect("and those beyond what may wait are refused", () =>
    Effect.gen(function* () {
      const { ask } = desk({ queue: 6 })
      for (const name of ["a", "b", "c", "1", "2", "3", "4", "5"]) yield* ask(1, name)
      assert.strictEqual(reasonOf(yield* Fiber.join(yield* ask(1, "6"))), "TooManyQuestions")
      // One that gave way waits too.
      yield* ask(2, "x")
      assert.strictEqual(reasonOf(yield* Fiber.join(yield* ask(3, "y"))), "StoreOverloaded")
    })
  )

  it.effect("and wait for it so long only", () =>
    Effect.gen(function* () {
      const { ask, answer, names } = desk({ seats: 1 })
      yield* ask(1, "a")
      const late = yield* ask(1, "b")
      yield* TestClock.adjust("31 seconds")
      assert.strictEqual(reasonOf(yield* Fiber.join(late)), "StoreOverloaded")
      const next = yield* ask(2, "x")
      yield* answer("a")
      assert.deepStrictEqual(names(), ["x"])
      yield* answer("x")
      assert.strictEqual(reasonOf(yield* Fiber.join(next)), "answered")
    })
  )

  it.effect("and a question whose asker has gone frees its seat, or no longer waits for one", () =>
    Effect.gen(function* () {
      const { ask, settled, names } = desk({ seats: 1 })
      const first = yield* ask(1, "a")
      const second = yield* ask(1, "b")
      yield* ask(1, "c")
      yield* Fiber.interrupt(second)
      assert.deepStrictEqual(names(), ["a"])
      yield* Fiber.interrupt(first)
      yield* settled
      assert.deepStrictEqual(names(), ["c"])
    })
  )
})
