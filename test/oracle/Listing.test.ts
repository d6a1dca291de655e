import { it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { countedUnitsPlan, listingPlan, revenuePlan } from "../support/analytics/Plans.ts"
import { agrees } from "../support/analytics/ScannedStore.ts"

// oxlint-disable-next-line vitest/expect-expect -- agrees asserts
it("Scanned columns say of listings, units and their revenue what the pure functions say", () =>
  agrees(
    fc.oneof(
      countedUnitsPlan.map((plan) => ({ kind: "countedUnits" as const, plan })),
      listingPlan.map((plan) => ({ kind: "listing" as const, plan })),
      fc.constantFrom("u0", "u2", "nobody").map((unitId) => ({ kind: "profile" as const, plan: { unitId } })),
      revenuePlan.map((plan) => ({ kind: "revenue" as const, plan })),
      fc.constantFrom("u0", "u3", "nobody").map((unitId) => ({ kind: "unit" as const, plan: { unitId } }))
    )
  ))
