import { assert, describe, it } from "@effect/vitest"
import { unfiltered } from "../../../../src/domain/analytics/filter/Filter.ts"
import { groupedFunnel } from "../../../../src/domain/analytics/funnel/FunnelGroups.ts"
import type { Attribution, FunnelPlan } from "../../../../src/domain/analytics/funnel/FunnelPlan.ts"
import { marker, named } from "../../../support/analytics/Markers.ts"

const day = 86_400_000
const days = 30
const steps = 4

const plan = (attribution: Attribution, order: FunnelPlan["order"]): FunnelPlan => ({
  range: { from: 0, to: days * day },
  steps: Array.from({ length: steps }, (_, step) => ({ selector: named(`step${step}`), optional: false })),
  order,
  window: day,
  exclusions: [],
  holdConstant: [],
  filter: unfiltered,
  breakdowns: [{ source: "argument", name: "value" }],
  breakdownLimit: 40,
  attribution,
  overTime: { step: "day", zone: "UTC", boundaries: Array.from({ length: days + 1 }, (_, at) => at * day) }
})

/** How often the markers of one unit, spread over the range and over so many values, are looked at, and in how many groups they are. */
const looksAt = (count: number, values: number, attribution: Attribution, order: FunnelPlan["order"]) => {
  let looks = 0
  const markers = Array.from({ length: count }, (_, at) => {
    const timestamp = Math.floor((at / count) * days * day)
    const event = marker(at, "u", `step${at % steps}`, timestamp, { arguments: { value: at % values } })
    const counted = Object.defineProperty({ ...event }, "timestamp", { get: () => (looks++, timestamp) })
    return { event: counted, steps: 1 << (at % steps), exclusions: 0 }
  })
  const groups = groupedFunnel(plan(attribution, order))("u", markers)
  return { looks, groups: groups.length }
}

describe.each(["ordered", "strict", "unordered"] as const)("attribution of %s funnels over time", (order) => {
  it("C8: to all values looks at markers no more often than to the first, however many values there are", () => {
    const first = looksAt(3000, 31, { type: "first" }, order)
    assert.strictEqual(first.groups, 1)
    for (const values of [1, 31, 300]) {
      const all = looksAt(3000, values, { type: "all" }, order)
      assert.strictEqual(all.groups, values)
      assert.isAtMost(all.looks, first.looks + 4 * steps * values)
    }
  })

  it("C8: to all values looks at twice as many markers twice as often", () => {
    const [one, two] = [3000, 6000].map((count) => looksAt(count, 31, { type: "all" }, order).looks)
    assert.isAtMost(two! / one!, 2.1)
  })
})
