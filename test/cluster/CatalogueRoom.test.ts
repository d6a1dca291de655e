import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { EventStore } from "../../src/ports/analytics/EventStore.ts"
import { clusterEvents } from "../support/cluster/EventStores.ts"
import { environment, receivedAt, sentMarker } from "./Children.ts"

it.effect(
  "A name with ever new values keeps the most frequent when the store is put in order, and its long lists are asked about",
  () =>
    Effect.gen(function* () {
      const { append, ask, maintain } = yield* EventStore
      // Each block is cut down by the domain's own rule, so the values come in several.
      for (let part = 0; part < 5; part++) {
        const markers = Array.from({ length: 1000 }, (_, at) => sentMarker(part * 1000 + at))
        yield* append(
          environment,
          receivedAt,
          markers.map((marker, at) => ({
            ...marker,
            type: "Match",
            arguments: { code: at % 2 === 0 ? "often" : `${"x".repeat(100)}${part}-${at}` }
          }))
        )
        yield* ask(environment, { kind: "unit", plan: { unitId: "u1" } })
      }
      const values = (limit: number) =>
        Effect.map(
          ask(environment, {
            kind: "values",
            plan: { source: "argument", name: "code", type: null, search: null, limit }
          }),
          ({ answer }) => answer
        )
      assert.strictEqual((yield* values(10_000)).length, 2501)
      const contains = {
        source: "argument" as const,
        name: "code",
        operator: "contains" as const,
        operands: ["x"]
      }
      const selector = { types: ["Match"] as const, filter: { match: "all" as const, conditions: [contains] } }
      const counted = yield* ask(environment, {
        kind: "countedUnits",
        plan: { selector, range: { from: 0, to: receivedAt * 2 }, minimum: 1, maximum: null, limit: 0 }
      })
      assert.strictEqual(counted.answer.count, 97)
      for (let part = 5; part < 9; part++) {
        const markers = Array.from({ length: 1000 }, (_, at) => sentMarker(part * 1000 + at))
        yield* append(
          environment,
          receivedAt,
          markers.map((marker, at) => ({ ...marker, type: "Match", arguments: { code: `y${part}-${at}` } }))
        )
        yield* ask(environment, { kind: "unit", plan: { unitId: "u1" } })
      }
      yield* maintain({ now: receivedAt, retention: [{ environmentId: environment, before: 0 }] })
      const kept = yield* values(10_000)
      assert.deepStrictEqual([kept.length, kept[0]], [1000, { value: "often", count: 2500 }])
    }).pipe(Effect.provide(clusterEvents(7)))
)
