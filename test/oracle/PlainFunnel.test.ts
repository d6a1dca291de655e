import { it } from "@effect/vitest"
import { groupedFunnelPlan, plainFunnelPlan } from "../support/analytics/Plans.ts"
import { agrees } from "../support/analytics/ScannedStore.ts"

// oxlint-disable-next-line vitest/expect-expect -- agrees asserts
it("Merged streams say of plain funnels what the pure functions say", () =>
  agrees(plainFunnelPlan.map((plan) => ({ kind: "funnel" as const, plan }))))

// oxlint-disable-next-line vitest/expect-expect -- agrees asserts
it("Merged streams say of funnels by groups what the pure functions say", () =>
  agrees(groupedFunnelPlan.map((plan) => ({ kind: "funnel" as const, plan }))))
