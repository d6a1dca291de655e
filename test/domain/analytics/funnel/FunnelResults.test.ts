import { assert, it } from "@effect/vitest"
import { unfiltered } from "../../../../src/domain/analytics/filter/Filter.ts"
import type { FunnelPlan } from "../../../../src/domain/analytics/funnel/FunnelPlan.ts"
import { funnelAnswer } from "../../../../src/domain/analytics/funnel/FunnelResults.ts"
import { named } from "../../../support/analytics/Markers.ts"

const steps = 20

const plan: FunnelPlan = {
  range: { from: 0, to: 1000 },
  steps: Array.from({ length: steps }, (_, step) => ({ selector: named(`step${step}`), optional: false })),
  order: "ordered",
  window: 1000,
  exclusions: [],
  holdConstant: [],
  filter: unfiltered,
  breakdowns: [{ source: "argument", name: "value" }],
  breakdownLimit: 40,
  attribution: { type: "all" },
  overTime: null
}

it("C8: the numbers of all steps and values come from one pass over what the units did", () => {
  let reads = 0
  const grouped = Array.from({ length: 31 * 10 }, (_, index) => ({
    group: [index % 31],
    result: {
      unitId: `u${Math.floor(index / 31)}`,
      reached: steps,
      buckets: new Map<number, number>(),
      get times() {
        reads++
        return Array.from({ length: steps }, (_one, step) => step * 1000)
      }
    }
  }))
  const { series } = funnelAnswer(plan, grouped)
  assert.lengthOf(series, 31)
  assert.isTrue(series.every((one) => one.steps.every(({ count }) => count === 10)))
  assert.isTrue(series.every((one) => one.steps.slice(1).every(({ medianSeconds }) => medianSeconds === 1)))
  assert.strictEqual(reads, grouped.length)
})
