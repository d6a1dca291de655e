import { it } from "@effect/vitest"
import { retentionPlan } from "../support/analytics/Plans.ts"
import { agrees } from "../support/analytics/ScannedStore.ts"

// oxlint-disable-next-line vitest/expect-expect -- agrees asserts
it("Scanned columns say of retention what the pure functions say", () =>
  agrees(retentionPlan.map((plan) => ({ kind: "retention" as const, plan }))))
