import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Logger, Option, Scope, TestClock } from "effect"
import { interruptedAnywhere } from "./Interruptions.ts"
import { makeWriteBehind, type WriteBehind } from "../../src/services/WriteBehind.ts"

interface Store {
  readonly written: Array<ReadonlyArray<string>>
  readonly logged: Array<string>
  isBroken: boolean
}

const bounds = { name: "Items", batchSize: 2, gatherFor: "20 millis", maxItems: 5, maxBytes: 100 } as const

/** A buffer in front of `store.written`, and the way to close it. */
const opened = Effect.fnUntraced(function* (store: Store) {
  const scope = yield* Scope.make()
  const buffer = yield* makeWriteBehind<string>({
    ...bounds,
    bytesOf: (item) => item.length,
    merge: (older, newer) => older + newer,
    write: (items) =>
      Effect.suspend(() => {
        if (store.isBroken) return Effect.dieMessage("The disk is full")
        store.written.push(items)
        return Effect.void
      })
  }).pipe(Scope.extend(scope))
  return { store, buffer, close: Scope.close(scope, Exit.void) }
})

const putAll = (buffer: WriteBehind<string>, items: ReadonlyArray<string>) =>
  Effect.forEach(items, (item) => buffer.put(item, () => item))

/** Opens a buffer whose log goes to `store.logged`. */
const test = (body: (world: Effect.Effect.Success<ReturnType<typeof opened>>) => Effect.Effect<void>) => {
  const store: Store = { written: [], logged: [], isBroken: false }
  const logger = Logger.make(({ message }) => void store.logged.push([message].flat().join(" ")))
  return Effect.provide(Effect.flatMap(opened(store), body), Logger.replace(Logger.defaultLogger, logger))
}

describe("the write-behind buffer", () => {
  it.effect("lets somebody wait for an item until it is written, but not while writes fail", () =>
    test(({ store, buffer }) =>
      Effect.gen(function* () {
        yield* buffer.attempted("nothing")
        yield* putAll(buffer, ["a", "b", "c"])
        const some = yield* Effect.forEach(["a", "a", "c"], (key) => Effect.fork(buffer.attempted(key)))
        yield* TestClock.adjust("19 millis")
        assert.isTrue(Option.isNone(yield* Fiber.poll(some[0]!)))
        yield* TestClock.adjust("1 millis")
        yield* Effect.forEach(some, Fiber.join)
        assert.deepStrictEqual(store.written, [["a", "b"], ["c"]])
        store.isBroken = true
        yield* putAll(buffer, ["d"])
        const failing = yield* Effect.fork(buffer.attempted("d"))
        yield* TestClock.adjust("20 millis")
        yield* Fiber.join(failing)
        // Nobody waits for the next attempt, which comes a second later and then ever more rarely.
        yield* putAll(buffer, ["e"])
        yield* buffer.attempted("e")
        assert.isTrue(buffer.holds("d"))
        store.isBroken = false
        yield* buffer.flush
        assert.deepStrictEqual(store.written.at(-1), ["d", "e"])
        yield* putAll(buffer, ["f"])
        const forgotten = yield* Effect.fork(buffer.attempted("f"))
        yield* Effect.yieldNow()
        yield* buffer.forget((item) => item === "f")
        yield* Fiber.join(forgotten)
      })
    )
  )

  it.effect("goes on writing where a caller was interrupted at any step of putting an item", () =>
    test(({ buffer }) =>
      interruptedAnywhere(
        30,
        () => putAll(buffer, ["a"]),
        (at) =>
          Effect.gen(function* () {
            yield* putAll(buffer, ["b"])
            yield* TestClock.adjust("20 millis")
            assert.isFalse(buffer.holds("b"), String(at))
          })
      )
    )
  )

  it.effect("gathers items, and writes them in their order and in batches", () =>
    test(({ store, buffer }) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* putAll(buffer, ["a", "b", "c"]), [true, true, true])
        assert.deepStrictEqual(store.written, [])
        yield* TestClock.adjust("20 millis")
        assert.deepStrictEqual(store.written, [["a", "b"], ["c"]])
        yield* putAll(buffer, ["d"])
        yield* TestClock.adjust("20 millis")
        assert.deepStrictEqual(store.written.at(-1), ["d"])
      })
    )
  )

  it.effect("changes what waits under a key, and tells whether something does", () =>
    test(({ store, buffer }) =>
      Effect.gen(function* () {
        yield* buffer.put("key", (waiting = "") => `${waiting}a`)
        yield* buffer.put("key", (waiting = "") => `${waiting}b`)
        assert.isTrue(buffer.holds("key"))
        yield* buffer.flush
        assert.isFalse(buffer.holds("key"))
        assert.deepStrictEqual(store.written, [["ab"]])
      })
    )
  )

  it.effect("ends with its scope although its writes fail, also where items were put within a write in one piece", () =>
    test(({ store, buffer, close }) =>
      Effect.gen(function* () {
        store.isBroken = true
        yield* Effect.uninterruptible(putAll(buffer, ["a"]))
        yield* TestClock.adjust("20 millis")
        const closing = yield* Effect.fork(close)
        for (let turn = 0; turn < 100; turn++) yield* Effect.yieldNow()
        assert.isTrue(Option.isSome(yield* Fiber.poll(closing)))
      })
    )
  )

  it.effect("logs a write that fails, and tries again with a growing pause, losing nothing", () =>
    test(({ store, buffer }) =>
      Effect.gen(function* () {
        store.isBroken = true
        yield* putAll(buffer, ["a", "b", "c"])
        yield* TestClock.adjust("20 millis")
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(
          store.logged,
          Array.from({ length: 2 }, () => "Items: 3 wait, because writing them failed")
        )
        yield* TestClock.adjust("1 second")
        assert.strictEqual(store.logged.length, 2)
        yield* TestClock.adjust("1 hour")
        assert.isBelow(store.logged.length, 3600 / 30 + 10)
        store.isBroken = false
        yield* TestClock.adjust("30 seconds")
        assert.deepStrictEqual(store.written, [["a", "b"], ["c"]])
      })
    )
  )

  it.effect("fails a flush whose write fails, and keeps what it held, merged with what came since", () =>
    test(({ store, buffer }) =>
      Effect.gen(function* () {
        store.isBroken = true
        yield* buffer.put("x", () => "a")
        assert.isTrue(Exit.isFailure(yield* Effect.exit(buffer.flush)))
        yield* buffer.put("x", (waiting = "") => `${waiting}b`)
        store.isBroken = false
        yield* buffer.flush
        assert.deepStrictEqual(store.written, [["ab"]])
      })
    )
  )

  it.effect("drops new items while it is full, and says how many", () =>
    test(({ store, buffer }) =>
      Effect.gen(function* () {
        const items = ["a", "b", "c", "d", "e", "f", "g"]
        assert.deepStrictEqual(yield* putAll(buffer, items), [true, true, true, true, true, false, false])
        assert.isTrue(yield* buffer.put("a", () => "A"))
        yield* TestClock.adjust("20 millis")
        assert.deepStrictEqual(store.written.flat(), ["A", "b", "c", "d", "e"])
        assert.deepStrictEqual(store.logged, ["Items: dropped 2 because the buffer was full"])
        assert.isTrue(yield* buffer.put("f", () => "f"))
      })
    )
  )

  it.effect("counts bytes as well as items, and has room again after it wrote or forgot", () =>
    test(({ store, buffer }) =>
      Effect.gen(function* () {
        const long = "l".repeat(100)
        assert.deepStrictEqual(yield* putAll(buffer, [long, "s"]), [true, false])
        yield* buffer.flush
        assert.deepStrictEqual(yield* putAll(buffer, [long, "s"]), [true, false])
        yield* buffer.forget((item) => item === long)
        assert.deepStrictEqual(yield* putAll(buffer, ["s"]), [true])
        yield* buffer.flush
        assert.deepStrictEqual(store.written, [[long], ["s"]])
      })
    )
  )

  it.effect("forgets only after the write that is under way", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const finished = yield* Deferred.make<void>()
      const buffer = yield* makeWriteBehind<string>({
        ...bounds,
        bytesOf: (item) => item.length,
        merge: (older) => older,
        write: () => Effect.zipRight(Deferred.succeed(begun, undefined), Deferred.await(finished))
      })
      yield* putAll(buffer, ["a"])
      yield* Effect.fork(buffer.flush)
      yield* Deferred.await(begun)
      assert.isTrue(buffer.holds("a"))
      const forgetting = yield* Effect.fork(buffer.forget(() => true))
      yield* Effect.yieldNow()
      assert.isTrue(Option.isNone(yield* Fiber.poll(forgetting)))
      yield* Deferred.succeed(finished, undefined)
      yield* Fiber.join(forgetting)
      assert.isFalse(buffer.holds("a"))
    }).pipe(Effect.scoped)
  )

  it.effect("writes what waits at shutdown, without waiting for its time", () =>
    test(({ store, buffer, close }) =>
      Effect.gen(function* () {
        yield* putAll(buffer, ["a", "b", "c"])
        yield* close
        assert.deepStrictEqual(store.written, [["a", "b"], ["c"]])
        assert.deepStrictEqual(store.logged, [])
      })
    )
  )

  it.effect("says how many are lost when they cannot be written at shutdown", () =>
    test(({ store, buffer, close }) =>
      Effect.gen(function* () {
        yield* putAll(buffer, ["a", "b", "c"])
        store.isBroken = true
        yield* close
        assert.deepStrictEqual(store.logged, ["Items: 3 are lost, because writing them at shutdown failed"])
      })
    )
  )
})
