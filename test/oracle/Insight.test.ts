import { it } from "@effect/vitest"
import { insightPlan } from "../support/analytics/Plans.ts"
import { agrees } from "../support/analytics/ScannedStore.ts"

// oxlint-disable-next-line vitest/expect-expect -- agrees asserts
it("Scanned columns say of insights what the pure functions say", () =>
  agrees(insightPlan.map((plan) => ({ kind: "insight" as const, plan }))))
