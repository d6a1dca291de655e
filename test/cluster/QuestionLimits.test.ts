import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { EventStore } from "../../src/ports/analytics/EventStore.ts"
import { startClickHouse } from "../support/cluster/ClickHouseProcess.ts"
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

it("A question waits for a ClickHouse that hangs for no longer than its budget, also where markers are on their way", async () => {
  const folder = mkdtempSync(join(tmpdir(), "clickhouse-"))
  const engine = await startClickHouse(folder)
  const asked = Effect.gen(function* () {
    const databases = yield* freshDatabases(engine.url)
    const limited = limitedEventsOn(databases, { budget: 2000 })
    yield* Effect.gen(function* () {
      const store = yield* EventStore
      const reason = Effect.match(store.ask(environment, everyMarker), {
        onFailure: ({ _tag }) => _tag,
        onSuccess: () => "answered"
      })
      yield* store.append(environment, receivedAt, markers.slice(0, 10))
      assert.strictEqual(yield* reason, "answered")
      engine.send("SIGSTOP")
      yield* store.append(environment, receivedAt, markers.slice(10, 20))
      const hung = yield* Effect.timeout(Effect.disconnect(reason), "20 seconds")
      engine.send("SIGCONT")
      assert.strictEqual(hung, "QueryTimedOut")
      assert.strictEqual(yield* reason, "answered")
    }).pipe(Effect.provide(limited))
  })
  await Effect.runPromise(
    Effect.scoped(
      Effect.ensuring(
        asked,
        Effect.sync(() => engine.send("SIGCONT"))
      )
    )
  )
  await engine.end("SIGTERM")
  rmSync(folder, { recursive: true })
})
