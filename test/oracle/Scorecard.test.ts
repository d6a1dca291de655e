import { it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { entryPlan, exposedWorld, scorecardPlan } from "../support/experiments/Exposures.ts"
import { agrees } from "../support/analytics/ScannedStore.ts"

// oxlint-disable-next-line vitest/expect-expect -- agrees asserts
it("Scanned columns say of an experiment what the pure functions say", () =>
  agrees(
    fc.oneof({ weight: 3, arbitrary: scorecardPlan }, entryPlan).map((plan) => ({ kind: "scorecard" as const, plan })),
    exposedWorld
  ))
