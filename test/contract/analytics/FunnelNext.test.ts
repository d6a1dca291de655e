import { assert, layer } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import type { FunnelUnitsPlan } from "../../../src/domain/analytics/funnel/FunnelPlan.ts"
import { EventStore } from "../../../src/ports/analytics/EventStore.ts"
import { base, day } from "../../support/analytics/FewMarkers.ts"
import { planOf } from "../../support/analytics/FunnelPlans.ts"
import { freshEnvironment, id, marker, stores } from "../../support/analytics/EventStores.ts"

const funnel = planOf("Login Purchase", { range: { from: base - day, to: base + day }, window: day })

const dropped: FunnelUnitsPlan = {
  funnel,
  group: null,
  bin: null,
  step: 1,
  outcome: "dropped",
  after: null,
  limit: 10
}

const exposure = { type: "$exposure", arguments: { experimentId: 1, groupId: 2 } }

for (const [label, store] of stores) {
  layer(store)(`what players did next in ${label}`, (it) => {
    it.effect("is never an exposure, which the server notes by itself", () =>
      Effect.gen(function* () {
        const { append, ask, maintain } = yield* EventStore
        const environment = freshEnvironment()
        yield* TestClock.setTime(base)
        yield* append(environment, base, [
          marker({ markerId: id(1), unitId: "exposed" }),
          marker({ ...exposure, markerId: id(2), unitId: "exposed", timestamp: base + 1 }),
          marker({ markerId: id(3), unitId: "went on" }),
          marker({ ...exposure, markerId: id(4), unitId: "went on", timestamp: base + 1 }),
          marker({ markerId: id(5), unitId: "went on", timestamp: base + 2, type: "Level" })
        ])
        const next = Effect.map(
          ask(environment, { kind: "funnelNext", plan: { units: dropped, types: 5 } }),
          ({ answer }) => answer
        )
        const expected = { types: [{ name: "Level", units: 1 }], nothing: 1, total: 2 }
        assert.deepStrictEqual(yield* next, expected)
        yield* maintain({ now: base, retention: [] })
        assert.deepStrictEqual(yield* next, expected)
      })
    )
  })
}
