import { it } from "@effect/vitest"
import { heatmapUnitsPlan } from "../support/analytics/UnitPlans.ts"
import { agrees } from "../support/analytics/ScannedStore.ts"

// oxlint-disable-next-line vitest/expect-expect -- agrees asserts
it("Scanned columns say of the units behind a heatmap what the pure functions say", () =>
  agrees(heatmapUnitsPlan.map((plan) => ({ kind: "heatmapUnits" as const, plan }))))
