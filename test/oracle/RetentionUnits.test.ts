import { it } from "@effect/vitest"
import { retentionUnitsPlan } from "../support/analytics/UnitPlans.ts"
import { agrees } from "../support/analytics/ScannedStore.ts"

// oxlint-disable-next-line vitest/expect-expect -- agrees asserts
it("Scanned columns say of the units behind retention what the pure functions say", () =>
  agrees(retentionUnitsPlan.map((plan) => ({ kind: "retentionUnits" as const, plan }))))
