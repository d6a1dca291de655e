import { it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { unfiltered } from "../../src/domain/analytics/filter/Filter.ts"
import type { InsightPlan } from "../../src/domain/analytics/insight/InsightPlan.ts"
import { insightPlan } from "../support/analytics/Plans.ts"
import { origin, tick, ticks } from "../support/analytics/PlanParts.ts"
import { agrees, worldOf } from "../support/analytics/ScannedStore.ts"

// oxlint-disable-next-line vitest/expect-expect -- agrees asserts
it("Scanned columns say of insights what the pure functions say", () =>
  agrees(insightPlan.map((plan) => ({ kind: "insight" as const, plan }))))

const manyMarkers = worldOf((all) => all.flatMap((event) => Array.from({ length: 60 }, () => Object.assign({}, event))))

const measure = fc.oneof(
  fc.record({
    type: fc.constantFrom("sum" as const, "average" as const, "min" as const, "max" as const, "sumPerUser" as const),
    argument: fc.constant("a")
  }),
  fc.record({
    type: fc.constant("percentile" as const),
    argument: fc.constant("a"),
    percentile: fc.integer({ min: 0, max: 100 })
  })
)

/** Values of all markers of a few long ranges: no filter and no group picks any. */
const valuesPlan: fc.Arbitrary<InsightPlan> = fc
  .record({
    cuts: fc.uniqueArray(fc.integer({ min: 0, max: ticks }), { minLength: 2, maxLength: 4 }),
    measures: fc.array(measure, { minLength: 1, maxLength: 4 }),
    cumulative: fc.boolean()
  })
  .map(({ cuts, measures, cumulative }) => {
    const boundaries = cuts.toSorted((a, b) => a - b).map((cut) => origin + cut * tick)
    return {
      range: { from: boundaries[0]!, to: boundaries[boundaries.length - 1]! },
      buckets: { step: "day", zone: "UTC", boundaries },
      metrics: measures.map((own, at) => ({
        id: String(at),
        selector: { types: ["a", "b"], filter: unfiltered },
        measure: own
      })),
      filter: unfiltered,
      breakdowns: [],
      breakdownLimit: 25,
      groups: null,
      cumulative
    }
  })

// oxlint-disable-next-line vitest/expect-expect -- agrees asserts
it("Sorted runs say of the values of many markers what the pure functions say", () =>
  agrees(
    valuesPlan.map((plan) => ({ kind: "insight" as const, plan })),
    manyMarkers
  ))
