import { it } from "@effect/vitest"
import { heatmapPlan } from "../support/analytics/Plans.ts"
import { agrees } from "../support/analytics/ScannedStore.ts"

// oxlint-disable-next-line vitest/expect-expect -- agrees asserts
it("Scanned columns say of heatmaps what the pure functions say", () =>
  agrees(heatmapPlan.map((plan) => ({ kind: "heatmap" as const, plan }))))
