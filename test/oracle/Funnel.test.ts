import { it } from "@effect/vitest"
import { funnelPlan } from "../support/analytics/Plans.ts"
import { agrees } from "../support/analytics/ScannedStore.ts"

// oxlint-disable-next-line vitest/expect-expect -- agrees asserts
it("Scanned columns say of funnels what the pure functions say", () =>
  agrees(funnelPlan.map((plan) => ({ kind: "funnel" as const, plan }))))
