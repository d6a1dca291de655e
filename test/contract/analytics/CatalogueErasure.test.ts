import { assert, layer } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import type { EnvironmentId } from "../../../src/domain/Ids.ts"
import { EventStore } from "../../../src/ports/analytics/EventStore.ts"
import { base, day } from "../../support/analytics/FewMarkers.ts"
import { freshEnvironment, id, marker, stores } from "../../support/analytics/EventStores.ts"

const gone = { unitId: "gone", properties: { platform: "web", appVersion: "9.9" } }
const kept = { unitId: "kept", properties: { platform: "ios", appVersion: "1.0" } }

const longId = (n: number) => `0190b5c2-7f3a-4d21-9c4e-${String(n).padStart(12, "0")}`

/** Of both players, and of one alone: a type, a name, a value, a version. */
const events = [
  marker({ ...kept, markerId: id(1), timestamp: base - 2 * day, arguments: { level: 1 } }),
  marker({ ...gone, markerId: id(2), timestamp: base - 2 * day, arguments: { level: 1, nickname: "Bo" } }),
  marker({ ...gone, markerId: id(3), timestamp: base - day, arguments: { level: 7 } }),
  marker({ ...gone, markerId: id(4), timestamp: base - day, type: "Secret", arguments: { deep: "secret" } }),
  marker({ ...kept, markerId: id(5), timestamp: base, arguments: { level: 1, teams: ["a", "b"] } })
]

for (const [label, store] of stores) {
  layer(store)(`the catalogue after an erasure in ${label}`, (it) => {
    const seenBy = (environment: EnvironmentId) =>
      Effect.gen(function* () {
        const { ask } = yield* EventStore
        const values = (source: "argument" | "property", name: string) =>
          Effect.map(
            ask(environment, { kind: "values", plan: { source, name, type: null, search: null, limit: 9 } }),
            ({ answer }) => answer.map(({ value, count }) => [value, count])
          )
        const [types, names, versions] = yield* Effect.all([
          ask(environment, { kind: "types", plan: { now: base } }),
          ask(environment, { kind: "names", plan: { source: "argument", type: null } }),
          ask(environment, { kind: "versions", plan: { range: { from: 0, to: base + day } } })
        ])
        return {
          types: types.answer,
          names: names.answer.map(({ name }) => name),
          versions: versions.answer.map(({ version }) => version),
          level: yield* values("argument", "level"),
          nickname: yield* values("argument", "nickname"),
          platform: yield* values("property", "platform")
        }
      })

    const left = {
      types: [{ name: "Login", firstSeenAt: base - 2 * day, lastSeenAt: base, count30d: 2, arguments: 2 }],
      names: ["level", "teams"],
      versions: ["1.0"],
      level: [[1, 2]],
      nickname: [],
      platform: [["ios", 2]]
    }

    for (const [when, inOrder] of [
      ["just arrived", false],
      ["have been put in order", true]
    ] as const)
      it.effect(`counts the markers that are left, of those that ${when}`, () =>
        Effect.gen(function* () {
          const { append, erase, maintain } = yield* EventStore
          const environment = freshEnvironment()
          yield* TestClock.setTime(base)
          yield* append(environment, base, events)
          if (inOrder) yield* maintain({ now: base, retention: [] })
          const before = yield* seenBy(environment)
          assert.deepStrictEqual(
            before.types.map(({ name, count30d }) => [name, count30d]),
            [
              ["Login", 4],
              ["Secret", 1]
            ]
          )
          assert.deepStrictEqual(before.level, [
            [1, 3],
            [7, 1]
          ])
          yield* erase(environment, "gone")
          assert.deepStrictEqual(yield* seenBy(environment), left)
          yield* erase(environment, "gone")
          assert.deepStrictEqual(yield* seenBy(environment), left)
          yield* append(environment, base, [marker({ ...gone, markerId: id(6), arguments: { level: 7 } })])
          assert.deepStrictEqual((yield* seenBy(environment)).level, [
            [1, 2],
            [7, 1]
          ])
          yield* erase(environment, "gone")
          assert.deepStrictEqual(yield* seenBy(environment), left)
        })
      )

    it.effect("keeps values and versions in which the digits of a short id occur by chance", () =>
      Effect.gen(function* () {
        const { append, erase } = yield* EventStore
        const environment = freshEnvironment()
        yield* TestClock.setTime(base)
        const others = { unitId: "kept", properties: { platform: "playstation 1", appVersion: "1.1" } }
        yield* append(environment, base, [
          marker({ ...others, markerId: id(1), arguments: { level: 10, nickname: "Bo 1" } }),
          marker({ ...others, markerId: id(2), arguments: { level: 21.5, nickname: "Bo 1" } }),
          marker({ unitId: "1", markerId: id(3), arguments: { level: 10 } })
        ])
        yield* erase(environment, "1")
        const { versions, level, nickname, platform } = yield* seenBy(environment)
        assert.deepStrictEqual(
          { versions, level, nickname, platform },
          {
            versions: ["1.1"],
            level: [
              [10, 1],
              [21.5, 1]
            ],
            nickname: [["Bo 1", 2]],
            platform: [["playstation 1", 2]]
          }
        )
      })
    )

    it.effect("goes on after markers that came again under a name and a type that no other has", () =>
      Effect.gen(function* () {
        const { append, erase, maintain } = yield* EventStore
        const environment = freshEnvironment()
        yield* TestClock.setTime(base)
        const [first, second] = [marker({ ...kept, markerId: id(1) }), marker({ ...gone, markerId: id(2) })]
        yield* append(environment, base, [first])
        yield* append(environment, base, [
          { ...first, arguments: { said: "again" } },
          { ...first, arguments: { times: 2 } },
          { ...first, type: "Again", arguments: { said: "again" } },
          second
        ])
        yield* erase(environment, "gone")
        yield* maintain({ now: base, retention: [] })
        const { types, names } = yield* seenBy(environment)
        assert.deepStrictEqual([types.map(({ name, count30d }) => [name, count30d]), names], [[["Login", 1]], []])
      })
    )

    /** The markers of a frequent type, which has segments of its own, and those of a rare one in the same places. */
    const spread = (type: string, first: number) => [
      marker({ ...gone, markerId: longId(first), type, timestamp: base - 5 * day }),
      marker({ ...gone, markerId: longId(first + 1), type, timestamp: base - 3 * day }),
      marker({ ...kept, markerId: longId(first + 2), type, timestamp: base - 3 * day + 60_000 }),
      marker({ ...kept, markerId: longId(first + 3), type, timestamp: base - 120_000 }),
      marker({ ...gone, markerId: longId(first + 4), type, timestamp: base - 60_000 })
    ]
    const many = Array.from({ length: 1200 }, (_, each) =>
      marker({ ...kept, markerId: longId(100 + each), type: "Often", timestamp: base - 2 * day + each })
    )

    for (const [when, inOrder] of [
      ["arrive together", false],
      ["have been put in order", true]
    ] as const)
      it.effect(`says when the markers that are left were first and last seen, where they ${when}`, () =>
        Effect.gen(function* () {
          const { append, ask, erase, maintain } = yield* EventStore
          const environment = freshEnvironment()
          yield* TestClock.setTime(base)
          yield* append(environment, base, spread("Often", 10).slice(0, 3))
          yield* append(environment, base, [...many, ...spread("Often", 10).slice(3), ...spread("Seldom", 20)])
          if (inOrder) yield* maintain({ now: base, retention: [] })
          const seen = Effect.map(ask(environment, { kind: "types", plan: { now: base } }), ({ answer }) =>
            answer.map(({ name, firstSeenAt, lastSeenAt }) => [name, firstSeenAt - base, lastSeenAt - base])
          )
          assert.deepStrictEqual(yield* seen, [
            ["Often", -5 * day, -60_000],
            ["Seldom", -5 * day, -60_000]
          ])
          yield* erase(environment, "gone")
          const left = [
            ["Often", -3 * day + 60_000, -120_000],
            ["Seldom", -3 * day + 60_000, -120_000]
          ]
          assert.deepStrictEqual(yield* seen, left)
          yield* erase(environment, "gone")
          yield* maintain({ now: base, retention: [] })
          assert.deepStrictEqual(yield* seen, left)
        })
      )
  })
}
