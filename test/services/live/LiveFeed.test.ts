import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Event } from "../../../src/domain/analytics/markers/Event.ts"
import { EnvironmentId } from "../../../src/domain/Ids.ts"
import type { Rejection } from "../../../src/domain/ingest/Rejection.ts"
import { LiveFeed } from "../../../src/services/live/LiveFeed.ts"

/** A list that says when somebody looks into it. */
const watched = <Item>(items: ReadonlyArray<Item>) => {
  const looks = { count: 0 }
  const list = new Proxy(items, {
    get: (target, name, receiver) => {
      if (name !== "length") looks.count++
      return Reflect.get(target, name, receiver)
    }
  })
  return { list, looks }
}

const environment = EnvironmentId.make(1)
const rejection: Rejection = { index: 0, markerId: null, code: "INVALID_TYPE", reason: "No" }

describe("the live feed", () => {
  it.effect(
    "looks at no marker of an environment that nobody watches, so that taking markers in costs nothing more",
    () =>
      Effect.gen(function* () {
        const feed = yield* LiveFeed
        const events = watched<Event>([])
        const sent = watched<unknown>([{ type: "Login" }])
        feed.open(EnvironmentId.make(2))
        feed.stored(environment, events.list, [])
        feed.refused(environment, sent.list, [rejection])
        assert.deepStrictEqual([events.looks.count, sent.looks.count], [0, 0])
        const sight = feed.open(environment).join({ type: null, unitId: null, withMarkers: true })
        feed.refused(environment, sent.list, [rejection])
        assert.isAbove(sent.looks.count, 0)
        assert.strictEqual(sight.refused.take().items.length, 1)
        feed.close(environment)
        assert.isUndefined(feed.of(environment))
      }).pipe(Effect.provide(LiveFeed.Default))
  )

  it.effect("tells who watches a player with a long id of emojis what was refused of theirs", () =>
    Effect.gen(function* () {
      const feed = yield* LiveFeed
      const unitId = "🎮".repeat(256)
      const sight = feed.open(environment).join({ type: null, unitId, withMarkers: true })
      feed.refused(environment, [{ type: "Login", userId: unitId }], [rejection])
      assert.include(sight.refused.take().items[0], unitId)
      feed.close(environment)
    }).pipe(Effect.provide(LiveFeed.Default))
  )
})
