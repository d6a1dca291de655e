// @effect-diagnostics runEffectInsideEffect:off -- fast-check takes promises
import { assert, layer } from "@effect/vitest"
import { Effect, FastCheck as fc, TestClock } from "effect"
import { answerOf } from "../../../src/domain/analytics/question/Answer.ts"
import type { PlayersPlan } from "../../../src/domain/analytics/players/PlayersPlan.ts"
import { EventStore } from "../../../src/ports/analytics/EventStore.ts"
import { base, day, fewMarkers } from "../../support/analytics/FewMarkers.ts"
import { freshEnvironment, id, marker, stores } from "../../support/analytics/EventStores.ts"
import { runCount } from "../../support/Runs.ts"

const everybody: PlayersPlan = {
  prefix: "",
  who: { op: "and", negate: false, children: [] },
  properties: ["country", "platform"],
  sort: "lastSeen",
  direction: "descending",
  limit: 10,
  after: null
}

const plans = fc.record({
  sort: fc.constantFrom("lastSeen" as const, "firstSeen" as const, "markerCount" as const, "unitId" as const),
  direction: fc.constantFrom("ascending" as const, "descending" as const),
  prefix: fc.constantFrom("", "u", "u2"),
  limit: fc.integer({ min: 1, max: 3 })
})

for (const [label, store] of stores) {
  layer(store)(`lists of players in ${label}`, (it) => {
    it.effect("say what the pure function says, before and after the store was put in order", () =>
      Effect.gen(function* () {
        const { append, ask, maintain } = yield* EventStore
        yield* TestClock.setTime(base)
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(fc.array(fewMarkers, { maxLength: 9 }), plans, (events, plan) =>
              Effect.runPromise(
                Effect.gen(function* () {
                  const environmentId = freshEnvironment()
                  const fresh = events.map((event, at) => ({ ...event, markerId: id(at + 1) }))
                  yield* append(environmentId, base, fresh)
                  const stored = fresh.map((event, at) => ({ ...event, receivedAt: base, sequence: at + 1 }))
                  const question = { kind: "players", plan: { ...everybody, ...plan } } as const
                  const expected = answerOf(stored, question)
                  assert.deepStrictEqual((yield* ask(environmentId, question)).answer, expected)
                  yield* maintain({ now: base, retention: [] })
                  assert.deepStrictEqual((yield* ask(environmentId, question)).answer, expected)
                })
              )
            ),
            { numRuns: runCount(20) }
          )
        )
      })
    )

    it.effect("miss nobody in a walk by ids while players play, nor by the last marker from the earliest on", () =>
      Effect.gen(function* () {
        const { append, ask } = yield* EventStore
        yield* TestClock.setTime(base)
        const everyone = ["ann", "bob", "cid", "dan"]
        const walk = (sort: "unitId" | "lastSeen", direction: "ascending" | "descending", player: string) =>
          Effect.gen(function* () {
            const environmentId = freshEnvironment()
            const first = everyone.map((unitId, at) =>
              marker({ markerId: id(at + 1), unitId, timestamp: base - (9 - at) * day })
            )
            yield* append(environmentId, base, first)
            const seen: Array<string> = []
            for (let after: PlayersPlan["after"] = null, isMore = true; isMore;) {
              const plan: PlayersPlan = { ...everybody, sort, direction, limit: 1, after }
              const { items, hasMore } = (yield* ask(environmentId, { kind: "players", plan })).answer
              seen.push(...items.map(({ unitId }) => unitId))
              if (seen.length === 2)
                yield* append(environmentId, base, [marker({ markerId: id(9), unitId: player, timestamp: base })])
              after = items.at(-1) ?? null
              isMore = hasMore
            }
            return seen
          })
        for (const player of everyone) {
          assert.deepStrictEqual(yield* walk("unitId", "ascending", player), everyone)
          assert.deepStrictEqual(yield* walk("unitId", "descending", player), everyone.toReversed())
          assert.includeMembers(yield* walk("lastSeen", "ascending", player), everyone)
        }
        // Who plays while the walk goes from the newest on comes to its beginning.
        assert.deepStrictEqual(yield* walk("lastSeen", "descending", "ann"), ["dan", "cid", "bob"])
      })
    )

    it.effect("know nobody whose markers are all past retention or erased, and count no such marker", () =>
      Effect.gen(function* () {
        const { append, ask, erase, maintain, retain } = yield* EventStore
        const environmentId = freshEnvironment()
        yield* TestClock.setTime(base)
        yield* append(environmentId, base, [
          marker({ markerId: id(1), unitId: "gone", timestamp: base - 40 * day }),
          marker({ markerId: id(2), unitId: "both", timestamp: base - 40 * day, properties: { platform: "web" } }),
          marker({ markerId: id(3), unitId: "both", timestamp: base - 2 * day, properties: { country: "DE" } }),
          marker({ markerId: id(4), unitId: "erased", timestamp: base - day })
        ])
        const listed = Effect.map(ask(environmentId, { kind: "players", plan: everybody }), ({ answer }) =>
          answer.items.map(({ unitId, firstSeenAt, markerCount, profile }) => [
            unitId,
            (base - firstSeenAt) / day,
            markerCount,
            profile
          ])
        )
        const all = [
          ["erased", 1, 1, {}],
          ["both", 40, 2, { country: "DE", platform: "web" }],
          ["gone", 40, 1, {}]
        ]
        assert.deepStrictEqual(yield* listed, all)
        yield* maintain({ now: base, retention: [] })
        assert.deepStrictEqual(yield* listed, all)
        yield* retain(environmentId, { days: 30, types: {} })
        const kept = [
          ["erased", 1, 1, {}],
          ["both", 2, 1, { country: "DE" }]
        ]
        assert.deepStrictEqual(yield* listed, kept)
        yield* erase(environmentId, "erased")
        assert.deepStrictEqual(yield* listed, kept.slice(1))
        yield* maintain({ now: base, retention: [{ environmentId, before: base - 30 * day, types: new Map() }] })
        assert.deepStrictEqual(yield* listed, kept.slice(1))
      })
    )
  })
}
