import { it } from "@effect/vitest"
import { groupedRetentionPlan, retentionPlan } from "../support/analytics/Plans.ts"
import { agrees } from "../support/analytics/ScannedStore.ts"

// oxlint-disable-next-line vitest/expect-expect -- agrees asserts
it("Scanned columns say of retention what the pure functions say", () =>
  agrees(retentionPlan.map((plan) => ({ kind: "retention" as const, plan }))))

// oxlint-disable-next-line vitest/expect-expect -- agrees asserts
it("Bitmaps say of retention by groups of units what the pure functions say", () =>
  agrees(groupedRetentionPlan.map((plan) => ({ kind: "retention" as const, plan }))))
