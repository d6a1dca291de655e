import { assert, describe, it } from "@effect/vitest"
import type { Evidence, Verdict } from "../../../../src/domain/experiments/statistics/Verdict.ts"
import { ofMultipleExposure, verdict } from "../../../../src/domain/experiments/statistics/Verdict.ts"

const day = 24 * 60 * 60 * 1_000

const evidence: Evidence = {
  units: [1_000, 1_000],
  elapsed: 8 * day,
  sampleRatio: "healthy",
  exposedUnits: 2_000,
  multipleExposureShare: 0,
  isPlannedEnd: false,
  direction: "increase",
  alpha: 0.05,
  estimate: 0.1,
  sequentialPValue: 0.01,
  fixedHorizonPValue: 0.001
}

describe("verdict", () => {
  const cases: ReadonlyArray<readonly [string, Partial<Evidence>, Verdict]> = [
    ["a sequentially significant rise of a metric that should rise", {}, "winning"],
    ["the same rise of a metric that should fall", { direction: "decrease" }, "losing"],
    ["a fall of a metric that should rise", { estimate: -0.1 }, "losing"],
    ["a fall of a metric that should fall", { estimate: -0.1, direction: "decrease" }, "winning"],
    ["no sequential significance before the planned end", { sequentialPValue: 0.2 }, "inconclusive"],
    ["a fixed-horizon p-value at the planned end", { sequentialPValue: 0.2, isPlannedEnd: true }, "winning"],
    ["99 units in an arm", { units: [99, 5_000] }, "collecting"],
    ["less than a full week", { elapsed: 7 * day - 1 }, "collecting"],
    ["a full week", { elapsed: 7 * day }, "winning"],
    ["a mismatch of the sample ratio", { sampleRatio: "unhealthy" }, "unhealthy"],
    ["a mismatch on the first day", { sampleRatio: "unhealthy", elapsed: day }, "unhealthy"],
    ["a warning of the sample ratio", { sampleRatio: "warning" }, "winning"],
    ["more than 10 % of units in two groups", { multipleExposureShare: 0.11 }, "unhealthy"],
    ["exactly 10 % of units in two groups", { multipleExposureShare: 0.1 }, "winning"],
    [
      "mixed groups among a handful of units",
      { multipleExposureShare: 0.5, units: [3, 4], exposedUnits: 14 },
      "collecting"
    ],
    ["all units in two groups, so that none counts", { multipleExposureShare: 1, units: [0, 0] }, "unhealthy"],
    ["no difference at all", { estimate: 0, sequentialPValue: 0 }, "inconclusive"]
  ]
  for (const [name, change, expected] of cases) {
    it(`${name}: ${expected}`, () => assert.strictEqual(verdict({ ...evidence, ...change }), expected))
  }

  it("multiple exposure warns above 0.5 % and forbids above 10 %", () => {
    assert.deepStrictEqual([0, 0.005, 0.006, 0.1, 0.101].map(ofMultipleExposure), [
      "healthy",
      "healthy",
      "warning",
      "warning",
      "unhealthy"
    ])
  })
})
