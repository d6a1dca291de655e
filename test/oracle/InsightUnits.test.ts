import { it } from "@effect/vitest"
import { insightUnitsPlan } from "../support/analytics/UnitPlans.ts"
import { agrees } from "../support/analytics/ScannedStore.ts"

// oxlint-disable-next-line vitest/expect-expect -- agrees asserts
it("Scanned columns say of the units behind an insight what the pure functions say", () =>
  agrees(insightUnitsPlan.map((plan) => ({ kind: "insightUnits" as const, plan }))))
