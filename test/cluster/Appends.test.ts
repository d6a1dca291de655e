import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, TestContext } from "effect"
import { dayMillis } from "../../src/domain/Durations.ts"
import { EnvironmentId } from "../../src/domain/Ids.ts"
import { EventStore } from "../../src/ports/analytics/EventStore.ts"
import { eventsOn, freshDatabases } from "../support/cluster/EventStores.ts"
import { environment, everyMarker, receivedAt, sentMarker } from "./Children.ts"

type Store = EventStore["Type"]

const markersOf = (numbers: ReadonlyArray<number>, type?: string) =>
  numbers.map((number) => ({ ...sentMarker(number), ...(type === undefined ? {} : { type }) }))

/** Two stores over the same databases, as two processes have them, on a clock that stands still. */
const inBoth = (test: (one: Store, other: Store) => Effect.Effect<void, unknown>) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const databases = yield* freshDatabases()
        const [one, other] = yield* Effect.forEach([1, 2], () =>
          Layer.build(Layer.provideMerge(eventsOn(databases, 7), TestContext.TestContext))
        )
        const storeOf = (context: typeof one) => Effect.provide(EventStore, context!)
        yield* test(yield* storeOf(one), yield* storeOf(other)).pipe(Effect.provide(one!))
      })
    )
  )

/** The numbers of the stored markers in the order of their sequences, which are 1 and the following. */
const stored = (store: Store, own = environment) =>
  Effect.map(store.ask(own, everyMarker), ({ answer }) => {
    const items = answer.items.toSorted((a, b) => a.sequence - b.sequence)
    assert.deepStrictEqual(
      items.map(({ sequence }) => sequence),
      items.map((_, at) => at + 1)
    )
    for (const { arguments: given, type, timestamp, unitId } of items) {
      const number = Number(given["number"])
      assert.deepStrictEqual([timestamp, unitId], [receivedAt + number, `u${number % 97}`], type)
    }
    return items.map(({ arguments: given }) => given["number"])
  })

describe("Two processes that append in turn", () => {
  it("number markers one after the other, whoever was the last", () =>
    inBoth((one, other) =>
      Effect.gen(function* () {
        for (const [at, store] of [one, other, other, one, one, other].entries())
          assert.deepStrictEqual(
            yield* store.append(environment, receivedAt, markersOf([at * 3, at * 3 + 1, at * 3 + 2])),
            []
          )
        assert.deepStrictEqual(
          yield* stored(one),
          Array.from({ length: 18 }, (_, at) => at)
        )
      })
    ))

  it("leave out what the other has stored, on the same day or on those before, and what comes twice at once", () =>
    inBoth((one, other) =>
      Effect.gen(function* () {
        yield* one.append(environment, receivedAt, markersOf([0, 1, 2, 3]))
        assert.deepStrictEqual(yield* other.append(environment, receivedAt, markersOf([5, 1, 6, 6, 3, 7])), [1, 3, 4])
        const later = receivedAt + 3 * dayMillis
        assert.deepStrictEqual(yield* one.append(environment, later, markersOf([7, 8, 0, 8])), [0, 2, 3])
        // By now the first ones are of a day that is looked up, and the last of the day itself.
        assert.deepStrictEqual(yield* other.append(environment, later, markersOf([8, 2, 9])), [0, 1])
        assert.deepStrictEqual(yield* other.append(environment, later, markersOf([8, 2, 9])), [0, 1, 2])
        assert.deepStrictEqual(yield* stored(other), [0, 1, 2, 3, 5, 6, 7, 8, 9])
      })
    ))

  it("keep no name that only duplicates have, and every name of the others", () =>
    inBoth((one, other) =>
      Effect.gen(function* () {
        yield* one.append(environment, receivedAt, markersOf([0, 1], "First"))
        const mixed = [...markersOf([1], "Duplicate"), ...markersOf([2], "Second")]
        assert.deepStrictEqual(yield* other.append(environment, receivedAt, mixed), [0])
        const names = yield* other.names(environment)
        assert.sameMembers(
          names.map(({ type }) => type),
          ["First", "Second"]
        )
        assert.deepStrictEqual(yield* stored(one), [0, 1, 2])
      })
    ))

  it("store nothing of an environment that one of them has dropped", () =>
    inBoth((one, other) =>
      Effect.gen(function* () {
        const gone = EnvironmentId.make(2)
        yield* one.append(gone, receivedAt, markersOf([0, 1]))
        yield* other.drop([gone])
        assert.deepStrictEqual(yield* one.append(gone, receivedAt, markersOf([2, 3])), [])
        assert.deepStrictEqual(yield* stored(one, gone), [])
      })
    ))
})
