import { assert, describe, it } from "@effect/vitest"
import type { StoredEvent } from "../../../../src/domain/analytics/markers/Event.ts"
import { funnel } from "../../../../src/domain/analytics/funnel/Funnel.ts"
import type { FunnelPlan } from "../../../../src/domain/analytics/funnel/FunnelPlan.ts"
import { funnelTable } from "../../../../src/domain/analytics/funnel/FunnelTable.ts"
import { journeys, marker } from "../../../support/analytics/Markers.ts"
import { planOf, byGroup } from "../../../support/analytics/FunnelPlans.ts"

describe("a breakdown of a funnel", () => {
  const mark = (sequence: number, unit: string, type: string, at: number, browser?: string) =>
    marker(sequence, unit, type, at, { arguments: browser === undefined ? {} : { browser } })
  const all = [
    mark(1, "u", "a", 0, ""),
    mark(2, "u", "b", 1, "x"),
    mark(3, "u", "b", 2, "y"),
    mark(4, "v", "a", 0, "x"),
    mark(5, "v", "b", 1, "x"),
    mark(6, "w", "a", 0)
  ]
  const by = (attribution: FunnelPlan["attribution"], breakdownLimit = 25) =>
    byGroup(all, planOf("a b", { breakdowns: [{ source: "argument", name: "browser" }], attribution, breakdownLimit }))

  it("takes the first or the last value that is there", () => {
    assert.deepEqual(by({ type: "first" }), [
      ["x", 2, 2],
      [null, 1, 0]
    ])
    assert.deepEqual(by({ type: "last" }), [
      ["x", 1, 1],
      ["y", 1, 1],
      [null, 1, 0]
    ])
  })

  it("takes the value at a step and leaves out who never came there", () => {
    assert.deepEqual(by({ type: "step", step: 1 }), [["x", 2, 2]])
    assert.deepEqual(by({ type: "step", step: 0 }), [
      [null, 2, 1],
      ["x", 1, 1]
    ])
  })

  it("by all runs once for each value on its markers", () => {
    assert.deepEqual(by({ type: "all" }), [
      [null, 2, 0],
      ["x", 1, 1]
    ])
  })

  it("merges what is past the limit, a unit once", () => {
    assert.deepEqual(by({ type: "last" }, 1), [
      ["x", 1, 1],
      ["Other", 2, 1]
    ])
    const both = [
      mark(1, "u", "a", 0, "x"),
      mark(2, "u", "a", 1, "y"),
      mark(3, "u", "b", 2, "y"),
      mark(4, "v", "a", 0, "z"),
      mark(5, "w", "a", 0, "z")
    ]
    const plan = planOf("a b", {
      breakdowns: [{ source: "argument", name: "browser" }],
      attribution: { type: "all" },
      breakdownLimit: 1
    })
    assert.deepEqual(byGroup(both, plan), [
      ["z", 2, 0],
      ["Other", 1, 1]
    ])
  })
})

const buckets = { step: "hour" as const, zone: "UTC", boundaries: [0, 5000, 10_000, 15_000, 20_000] }

describe("a funnel over time", () => {
  const overTime = (all: ReadonlyArray<StoredEvent>, plan: FunnelPlan, now = 1e12) =>
    funnelTable(plan, funnel(all, plan).series[0]!, now).overTime

  it("counts a unit once in each bucket, with its most steps from a start there", () => {
    const all = journeys(`
      u: a@0 a@1 b@2 a@6 b@17
      v: a@4 b@6
      w: b@1
    `)
    const plan = planOf("a b", { overTime: buckets, range: { from: 0, to: 20_000 } })
    const found = overTime(all, plan, 25_000)
    assert.deepEqual(
      found.map(({ entered, converted }) => [entered, converted]),
      [
        [2, 2],
        [1, 0],
        [0, 0],
        [0, 0]
      ]
    )
    assert.deepEqual(
      found.map(({ rate }) => rate),
      [100, 0, 0, 0]
    )
    assert.deepEqual(
      found.map(({ complete }) => complete),
      [true, true, true, false]
    )
    assert.deepEqual(
      found.map(({ start }) => start),
      [0, 5000, 10_000, 15_000]
    )
  })

  it("rounds the rate to two decimals", () => {
    const all = journeys("u: a@0 b@1\nv: a@0\nw: a@0")
    assert.strictEqual(overTime(all, planOf("a b", { overTime: buckets }))[0]!.rate, 33.33)
  })
})
