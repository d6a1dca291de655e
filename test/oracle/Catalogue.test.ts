import { it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { bucketed, origin, tick, ticks, types } from "../support/analytics/PlanParts.ts"
import { agrees, worldOf } from "../support/analytics/ScannedStore.ts"

const source = fc.constantFrom("argument" as const, "property" as const)
const type = fc.constantFrom(null, ...types)

// oxlint-disable-next-line vitest/expect-expect -- agrees asserts
it("The stored catalogue says of types, names and values what the pure functions say", () =>
  agrees(
    fc.oneof(
      fc
        .integer({ min: 0, max: 2 * ticks })
        .map((at) => ({ kind: "types" as const, plan: { now: origin + at * tick } })),
      fc.record({ source, type }).map((plan) => ({ kind: "names" as const, plan })),
      fc
        .record({
          source,
          name: fc.constantFrom("a", "b", "nothing"),
          type,
          search: fc.constantFrom(null, "x", "1"),
          limit: fc.integer({ min: 1, max: 5 })
        })
        .map((plan) => ({ kind: "values" as const, plan }))
    )
  ))

const versioned = worldOf((all) =>
  all.map(({ properties: { p }, ...event }) => ({ ...event, properties: p === undefined ? {} : { appVersion: p } }))
)

// oxlint-disable-next-line vitest/expect-expect -- agrees asserts
it("The stored catalogue says when versions of the game were first seen what the pure functions say", () =>
  agrees(
    fc.tuple(fc.integer({ min: 0, max: ticks }), fc.integer({ min: 0, max: ticks })).map(([one, other]) => ({
      kind: "versions" as const,
      plan: { range: { from: origin + Math.min(one, other) * tick, to: origin + (Math.max(one, other) + 1) * tick } }
    })),
    versioned
  ))

// oxlint-disable-next-line vitest/expect-expect -- agrees asserts
it("Markers of each type are counted by local day, whatever the zone, as the pure functions count them", () =>
  agrees(
    bucketed
      .filter(({ buckets }) => buckets.boundaries.length > 1)
      .map(({ buckets: { boundaries } }) => ({ kind: "typeCounts" as const, plan: { boundaries } }))
  ))
