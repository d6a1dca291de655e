import { assert, it } from "@effect/vitest"
import { Deferred, Effect, TestClock } from "effect"
import { makeWriteBehind, type WriteBehind } from "../../src/services/WriteBehind.ts"

const bounds = { name: "Items", batchSize: 2, gatherFor: "20 millis", maxItems: 5, maxBytes: 100 } as const

const putAll = (buffer: WriteBehind<string>, items: ReadonlyArray<string>) =>
  Effect.forEach(items, (item) => buffer.put(item, () => item))

it.scoped("A write-behind buffer gathers again what comes during a write", () =>
  Effect.gen(function* () {
    const written: Array<ReadonlyArray<string>> = []
    const [begun, leave] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const buffer = yield* makeWriteBehind<string>({
      ...bounds,
      bytesOf: (item) => item.length,
      merge: (older) => older,
      write: (items) =>
        Effect.gen(function* () {
          written.push(items)
          yield* Deferred.succeed(begun, undefined)
          yield* Deferred.await(leave)
        })
    })
    yield* putAll(buffer, ["a", "b"])
    yield* TestClock.adjust("20 millis")
    yield* Deferred.await(begun)
    yield* putAll(buffer, ["c"])
    yield* Deferred.succeed(leave, undefined)
    yield* TestClock.adjust("19 millis")
    yield* putAll(buffer, ["d"])
    assert.deepStrictEqual(written, [["a", "b"]])
    yield* TestClock.adjust("1 millis")
    assert.deepStrictEqual(written.slice(1), [["c", "d"]])
  })
)

it.scoped("A write-behind buffer fills batches by the sizes of items", () =>
  Effect.gen(function* () {
    const written: Array<ReadonlyArray<string>> = []
    const buffer = yield* makeWriteBehind<string>({
      ...bounds,
      batchSize: 3,
      sizeOf: (item) => item.length,
      bytesOf: (item) => item.length,
      merge: (older) => older,
      write: (items) => Effect.sync(() => void written.push(items))
    })
    yield* putAll(buffer, ["a", "bb", "cccc", "d", "ee"])
    yield* buffer.flush
    assert.deepStrictEqual(written, [["a", "bb"], ["cccc"], ["d", "ee"]])
  })
)
