import { it } from "@effect/vitest"
import { funnelUnitsPlan, plainFunnelUnitsPlan } from "../support/analytics/UnitPlans.ts"
import { agrees } from "../support/analytics/ScannedStore.ts"

// oxlint-disable-next-line vitest/expect-expect -- agrees asserts
it("Scanned columns say of the units of a funnel what the pure functions say", () =>
  agrees(funnelUnitsPlan.map((plan) => ({ kind: "funnelUnits" as const, plan }))))

// oxlint-disable-next-line vitest/expect-expect -- agrees asserts
it("Merged streams say of the units of plain funnels what the pure functions say", () =>
  agrees(plainFunnelUnitsPlan.map((plan) => ({ kind: "funnelUnits" as const, plan }))))

// oxlint-disable-next-line vitest/expect-expect -- agrees asserts
it("Scanned columns say of what these units did next what the pure functions say", () =>
  agrees(funnelUnitsPlan.map((units) => ({ kind: "funnelNext" as const, plan: { units, types: 2 } }))))
