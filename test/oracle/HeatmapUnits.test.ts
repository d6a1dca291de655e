import { it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { heatmapUnitsPlan } from "../support/analytics/UnitPlans.ts"
import { agrees } from "../support/analytics/ScannedStore.ts"

// oxlint-disable-next-line vitest/expect-expect -- agrees asserts
it("Scanned columns say of the units behind a heatmap what the pure functions say", () =>
  agrees(heatmapUnitsPlan.map((plan) => ({ kind: "heatmapUnits" as const, plan }))))

// oxlint-disable-next-line vitest/expect-expect -- agrees asserts
it("Scanned columns say of the arguments in an area what the pure functions say", () =>
  agrees(
    fc
      .tuple(heatmapUnitsPlan, fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 5 }))
      .map(([{ heatmap, area }, names, values]) => ({
        kind: "heatmapArguments" as const,
        plan: { heatmap, area, names, values }
      }))
  ))
