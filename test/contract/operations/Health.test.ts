import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { EventStore } from "../../../src/ports/analytics/EventStore.ts"
import { Health } from "../../../src/ports/operations/Health.ts"
import { everyStore } from "../../support/Stores.ts"

describe.each(everyStore)("the health of the stores in %s", (_, store) => {
  it.effect("has no problem, again and again, and free bytes only where there is a disk", () =>
    Effect.gen(function* () {
      const health = yield* Health
      const events = yield* EventStore
      for (let look = 0; look < 3; look++) {
        assert.deepStrictEqual(yield* health.metadata, [])
        assert.deepStrictEqual(yield* events.problems, [])
      }
      assert.isNull(yield* health.freeBytes)
      assert.deepStrictEqual(yield* health.fileSizes, [])
    }).pipe(Effect.provide(store))
  )
})
