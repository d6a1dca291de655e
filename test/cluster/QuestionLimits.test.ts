import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { EventStore } from "../../src/ports/analytics/EventStore.ts"
import { eventsOn, freshDatabases, limitedEventsOn } from "../support/cluster/EventStores.ts"
import { environment, everyMarker, receivedAt, sentMarker } from "./Children.ts"

const markers = Array.from({ length: 20_000 }, (_, number) => ({
  ...sentMarker(number),
  properties: { text: `${number}`.repeat(40) }
}))

it("A question to ClickHouse that takes more time or memory than one may has exceeded its budget, and others are answered", () =>
  Effect.gen(function* () {
    const databases = yield* freshDatabases()
    const ask = Effect.flatMap(EventStore, (store) => store.ask(environment, everyMarker))
    const reason = Effect.match(ask, { onFailure: ({ _tag }) => _tag, onSuccess: () => "answered" })
    const stored = Effect.flatMap(EventStore, (store) => store.append(environment, receivedAt, markers))
    assert.strictEqual(yield* Effect.provide(Effect.zipRight(stored, reason), eventsOn(databases, 7)), "answered")
    const limited = (limits: Parameters<typeof limitedEventsOn>[1]) =>
      Effect.provide(reason, limitedEventsOn(databases, limits))
    assert.strictEqual(yield* limited({ memory: 1_000_000 }), "QueryTimedOut")
    assert.strictEqual(yield* limited({ budget: 1 }), "QueryTimedOut")
    assert.strictEqual(yield* limited({}), "answered")
  }).pipe(Effect.scoped, Effect.runPromise))
