import { it } from "@effect/vitest"
import { exposedWorld, scorecardPlan } from "../support/experiments/Exposures.ts"
import { agrees } from "../support/analytics/ScannedStore.ts"

// oxlint-disable-next-line vitest/expect-expect -- agrees asserts
it("Scanned columns say of an experiment what the pure functions say", () =>
  agrees(
    scorecardPlan.map((plan) => ({ kind: "scorecard" as const, plan })),
    exposedWorld
  ))
