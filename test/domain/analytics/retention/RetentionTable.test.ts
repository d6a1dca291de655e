import { assert, describe, it } from "@effect/vitest"
import { retention } from "../../../../src/domain/analytics/retention/Retention.ts"
import type { Criterion, RetentionPlan } from "../../../../src/domain/analytics/retention/RetentionPlan.ts"
import { type RetentionTable, retentionTable } from "../../../../src/domain/analytics/retention/RetentionTable.ts"
import { day, origin, planOf, on, plays } from "../../../support/analytics/RetentionPlans.ts"

describe("a retention table", () => {
  const table = (plan: RetentionPlan, now: number): RetentionTable => {
    const all = plays("u 0 1\nv 0\nw 1 2")
    return retentionTable(plan, retention(all, plan).series[0]!, now)
  }

  it("tells which cells could still grow, and leaves them out of the totals", () => {
    const { cohorts, total } = table(planOf(on(2), { to: "2024-05-07" }), origin + 3 * day)
    assert.deepEqual(
      cohorts.map(({ start, size }) => [start, size]),
      [
        [origin, 2],
        [origin + day, 2]
      ]
    )
    assert.deepEqual(cohorts[0]!.values, [
      { interval: 1, count: 1, rate: 50, complete: true },
      { interval: 2, count: 0, rate: 0, complete: true }
    ])
    assert.deepEqual(
      cohorts[1]!.values.map(({ complete }) => complete),
      [true, false]
    )
    assert.deepEqual(total, {
      size: 4,
      values: [
        { interval: 1, count: 2, size: 4, rate: 50, complete: true },
        { interval: 2, count: 0, size: 2, rate: 0, complete: true }
      ]
    })
  })

  it("has no total of a column as long as no row is over", () => {
    const { total } = table(planOf(on(2), { to: "2024-05-07" }), origin + 2 * day)
    assert.deepEqual(total.values, [
      { interval: 1, count: 1, size: 2, rate: 50, complete: true },
      { interval: 2, count: 0, size: 0, rate: 0, complete: false }
    ])
  })

  it("knows when rolling windows, brackets and returns by date are over", () => {
    const flags = (plan: RetentionPlan, now: number) =>
      table(plan, now).cohorts[0]!.values.map(({ complete }) => complete)
    const one = { to: "2024-05-06" }
    assert.deepEqual(flags(planOf(on(2), { ...one, window: "rolling24h" }), origin + 3 * day), [true, false])
    const brackets: Criterion = {
      type: "brackets",
      brackets: [
        [1, 1],
        [2, 4]
      ]
    }
    assert.deepEqual(flags(planOf(brackets, one), origin + 4 * day), [true, false])
    assert.deepEqual(flags(planOf(brackets, one), origin + 5 * day), [true, true])
    assert.deepEqual(flags(planOf(on(2), { ...one, dateBy: "return" }), origin + day), [true, true])
    assert.deepEqual(flags(planOf(on(2), { ...one, dateBy: "return" }), origin + day - 1), [false, false])
  })
})

describe("the periods of retention", () => {
  const count = ({ periods, firstRow, rows }: RetentionPlan) => [periods.boundaries.length - 1, firstRow, rows]

  it("reach as far as the columns look", () => {
    assert.deepEqual(count(planOf(on(7))), [10, 0, 3])
    assert.deepEqual(
      count(
        planOf({
          type: "brackets",
          brackets: [
            [1, 2],
            [3, 9]
          ]
        })
      ),
      [12, 0, 3]
    )
    assert.deepEqual(count(planOf(on(7), { dateBy: "return" })), [17, 7, 3])
    // Samoa had no 30 December 2011: three days before New Year's Day began on the 28th.
    const dated = {
      from: "2011-12-31T10:00Z",
      to: "2012-01-02T10:00Z",
      zone: "Pacific/Apia",
      dateBy: "return"
    } as const
    const samoa = planOf(on(3), dated)
    assert.deepEqual(count(samoa), [8, 3, 2])
    assert.strictEqual(samoa.periods.boundaries[0], Date.parse("2011-12-28T10:00Z"))
    assert.deepEqual(count(planOf({ type: "onOrAfter", columns: 2 }, { now: origin + 20.5 * day })), [21, 0, 3])
  })
})
