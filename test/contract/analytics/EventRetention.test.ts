import { assert, layer } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { unfiltered } from "../../../src/domain/analytics/filter/Filter.ts"
import type { EnvironmentId } from "../../../src/domain/Ids.ts"
import { EventStore } from "../../../src/ports/analytics/EventStore.ts"
import { base, day } from "../../support/analytics/FewMarkers.ts"
import { stores, freshEnvironment, listing, marker, id } from "../../support/analytics/EventStores.ts"

for (const [label, store] of stores) {
  layer(store)(`markers that the event store lets go in ${label}`, (it) => {
    it.effect("C4: answers nothing that is past retention, whether it is in the tail, sealed or deleted", () =>
      Effect.gen(function* () {
        const { append, ask, maintain, retain, version } = yield* EventStore
        const environmentId = freshEnvironment()
        const now = base + 60 * day
        yield* TestClock.setTime(now)
        const types = ["Login", "Level", "Purchase"]
        const all = Array.from({ length: 60 }, (_, index) =>
          marker({
            markerId: `0190b5c2-7f3a-4d21-9c4e-1000${String(environmentId).padStart(4, "0")}${String(index).padStart(4, "0")}`,
            type: types[index % 3]!,
            unitId: `u${index % 4}`,
            timestamp: now - (index * 12 + 6) * 3_600_000
          })
        )
        yield* append(environmentId, now, all)
        const always = { from: 0, to: Number.MAX_SAFE_INTEGER }
        const shown = Effect.map(
          ask(environmentId, { kind: "listing", plan: { ...listing, range: always } }),
          ({ answer }) => answer.items.map(({ markerId }) => markerId)
        )
        const seen = Effect.map(ask(environmentId, { kind: "types", plan: { now } }), ({ answer }) => answer)
        const counted = Effect.map(
          ask(environmentId, {
            kind: "countedUnits",
            plan: {
              selector: { types: ["Login", "Level", "Purchase"], filter: unfiltered },
              range: always,
              minimum: 1,
              maximum: null,
              limit: 10
            }
          }),
          ({ answer }) => answer
        )
        const known = yield* seen
        const keptBy = (days: number, own: Readonly<Record<string, number>>) =>
          all.filter(({ type, timestamp }) => timestamp >= now - (own[type] ?? days) * day)
        const agrees = (days: number, own: Readonly<Record<string, number>>) =>
          Effect.gen(function* () {
            const expected = keptBy(days, own)
            assert.deepStrictEqual(
              yield* shown,
              expected.map(({ markerId }) => markerId)
            )
            const units = [...new Set(expected.map(({ unitId }) => unitId ?? ""))].sort()
            assert.deepStrictEqual(yield* counted, { count: units.length, unitIds: units })
            assert.deepStrictEqual(yield* seen, known)
          })
        const rules = [
          [20, {}],
          [10, { Level: 3 }],
          [2, { Login: 8, Purchase: 1 }]
        ] as const
        const before = yield* version(environmentId)
        for (const [days, own] of rules) {
          yield* retain(environmentId, { days, types: own })
          yield* agrees(days, own)
          assert.notDeepEqual(yield* version(environmentId), before)
          yield* maintain({ now, retention: [] })
          yield* agrees(days, own)
          const limits = new Map(Object.entries(own).map(([type, each]) => [type, now - each * day]))
          yield* maintain({ now, retention: [{ environmentId, before: now - days * day, types: limits }] })
          yield* agrees(days, own)
        }
      })
    )

    it.effect("drops all there is of an environment, and nothing of another", () =>
      Effect.gen(function* () {
        const { append, ask, drop, maintain, version } = yield* EventStore
        const [gone, kept] = [freshEnvironment(), freshEnvironment()]
        const some = [
          marker({ markerId: id(1), arguments: { level: 1 } }),
          marker({ markerId: id(2), sessionId: "s1" })
        ]
        for (const environment of [gone, kept]) yield* append(environment, base, some)
        yield* maintain({ now: base, retention: [] })
        for (const environment of [gone, kept]) yield* append(environment, base, [marker({ markerId: id(3) })])
        const everything = Effect.fnUntraced(function* (environment: EnvironmentId) {
          const names = { kind: "names", plan: { source: "argument", type: null } } as const
          return [
            (yield* ask(environment, { kind: "listing", plan: listing })).answer.items.length,
            (yield* ask(environment, { kind: "types", plan: { now: base } })).answer.length,
            (yield* ask(environment, names)).answer.length,
            (yield* ask(environment, { kind: "unit", plan: { unitId: "u1" } })).answer?.events ?? 0
          ]
        })
        assert.deepStrictEqual(yield* everything(gone), [3, 1, 1, 3])
        const before = [yield* version(gone), yield* version(kept)]
        yield* drop([gone])
        assert.deepStrictEqual(yield* everything(gone), [0, 0, 0, 0])
        assert.deepStrictEqual(yield* everything(kept), [3, 1, 1, 3])
        assert.deepStrictEqual(yield* append(kept, base, some), [0, 1])
        assert.notDeepEqual(yield* version(gone), before[0])
        assert.deepStrictEqual(yield* version(kept), before[1])
        yield* drop([gone, freshEnvironment()])
      })
    )
  })
}
