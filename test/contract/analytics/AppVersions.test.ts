import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { EventStore } from "../../../src/ports/analytics/EventStore.ts"
import { base, day } from "../../support/analytics/FewMarkers.ts"
import { freshEnvironment, id, marker, stores } from "../../support/analytics/EventStores.ts"

const range = { from: base - 10 * day, to: base + 10 * day }

const of = (number: number, appVersion: string, timestamp: number, unitId = "u1") =>
  marker({ markerId: id(number), timestamp, unitId, properties: { appVersion } })

for (const [label, store] of stores) {
  layer(store)(`versions of the game in ${label}`, (it) => {
    const seenIn = (environmentId: ReturnType<typeof freshEnvironment>) =>
      Effect.gen(function* () {
        const { ask } = yield* EventStore
        const { answer } = yield* ask(environmentId, { kind: "versions", plan: { range } })
        return answer.map(({ version, firstSeenAt }) => [version, firstSeenAt - base])
      })

    it.effect(
      "are first seen at the earliest of their timestamps, in the tail or sealed, in one environment alone",
      () =>
        Effect.gen(function* () {
          const { append, maintain } = yield* EventStore
          const environmentId = freshEnvironment()
          yield* append(freshEnvironment(), base, [of(1, "9.9", base)])
          yield* append(environmentId, base, [of(1, "1.0", base), of(2, "1.1", base + 5)])
          yield* maintain({ now: base, retention: [] })
          assert.deepStrictEqual(yield* seenIn(environmentId), [
            ["1.1", 5],
            ["1.0", 0]
          ])
          // One that was late, of a version that is known, and one that is not later than it.
          yield* append(environmentId, base, [of(3, "1.1", base + 2), of(4, "1.1", base + 9), of(5, "1.2", base + 2)])
          const all = [
            ["1.1", 2],
            ["1.2", 2],
            ["1.0", 0]
          ]
          assert.deepStrictEqual(yield* seenIn(environmentId), all)
          yield* maintain({ now: base, retention: [] })
          assert.deepStrictEqual(yield* seenIn(environmentId), all)
        })
    )

    it.effect("stay when their markers are past retention, so that they are not first seen again", () =>
      Effect.gen(function* () {
        const { append, maintain } = yield* EventStore
        const environmentId = freshEnvironment()
        yield* append(environmentId, base, [of(1, "1.0", base)])
        yield* maintain({ now: base, retention: [] })
        yield* maintain({ now: base + day, retention: [{ environmentId, before: base + day, types: new Map() }] })
        yield* append(environmentId, base, [of(2, "1.0", base + 2 * day)])
        assert.deepStrictEqual(yield* seenIn(environmentId), [["1.0", 0]])
      })
    )

    it.effect("whose text has the id of an erased player are forgotten with that player", () =>
      Effect.gen(function* () {
        const { append, erase, maintain } = yield* EventStore
        const environmentId = freshEnvironment()
        yield* append(environmentId, base, [of(1, "1.0", base), of(2, "build of secret-player", base, "secret-player")])
        yield* maintain({ now: base, retention: [] })
        yield* erase(environmentId, "secret-player")
        assert.deepStrictEqual(yield* seenIn(environmentId), [["1.0", 0]])
      })
    )
  })
}
