import { assert, it } from "@effect/vitest"
import { Effect, Exit, Layer, TestClock, TestContext } from "effect"
import { EventStore } from "../../src/ports/analytics/EventStore.ts"
import { eventsOn, freshDatabases, inClickHouse } from "../support/cluster/EventStores.ts"
import type { Databases } from "../support/cluster/SharedDatabases.ts"
import { childOf, environment, everyMarker, receivedAt, sentMarker } from "./Children.ts"

/** On a clock that stands still, so that nothing is moved but by a question. */
const on = <A, E>(databases: Databases, effect: Effect.Effect<A, E, EventStore>) =>
  Effect.provide(effect, Layer.provideMerge(eventsOn(databases, 7), TestContext.TestContext))

it("markers that ClickHouse has lost before they left the log are sent again, though it remembers that it had them", () =>
  Effect.gen(function* () {
    const databases = yield* freshDatabases()
    const sent = Array.from({ length: 100 }, (_, number) => sentMarker(number))
    yield* on(
      databases,
      Effect.flatMap(EventStore, (store) => store.append(environment, receivedAt, sent))
    )
    const ended = yield* Effect.promise(() => childOf(databases, { do: "move" }, "after marker"))
    assert.strictEqual(ended, "SIGKILL")
    const remove = "alter table marker delete where true settings mutations_sync = 2"
    yield* Effect.promise(() => inClickHouse(databases, ({ run }) => run(remove)))
    const asked = Effect.gen(function* () {
      const { ask } = yield* EventStore
      assert.isTrue(Exit.isFailure(yield* Effect.exit(ask(environment, everyMarker))))
      yield* TestClock.adjust("1 minute")
      const { answer } = yield* ask(environment, everyMarker)
      const types = yield* ask(environment, { kind: "types", plan: { now: receivedAt } })
      return [answer.items.length, types.answer.reduce((sum, { count30d }) => sum + count30d, 0)]
    })
    assert.deepStrictEqual(yield* on(databases, asked), [100, 100])
  }).pipe(Effect.scoped, Effect.runPromise))
