import { assert, describe, it } from "@effect/vitest"
import { dayMillis } from "../../../../src/domain/Durations.ts"
import { daysToGo, daysUntil } from "../../../../src/domain/experiments/results/Pace.ts"

describe("days to go", () => {
  it("are counted by the smallest group at its pace so far", () => {
    assert.strictEqual(daysToGo([100, 300], 2 * dayMillis, 1000), 18)
    assert.strictEqual(daysToGo([100, 300], 2 * dayMillis, 1001), 19)
  })

  it("are none once the smallest group has the units", () => {
    assert.strictEqual(daysToGo([1000, 3000], 0, 1000), 0)
  })

  it("are unknown without a number, without units, without groups and before a day has passed", () => {
    assert.isNull(daysToGo([100], 2 * dayMillis, null))
    assert.isNull(daysToGo([0, 10], 2 * dayMillis, 100))
    assert.isNull(daysToGo([], 2 * dayMillis, 100))
    assert.isNull(daysToGo([10, 10], dayMillis - 1, 100))
  })

  it("are unknown where they are more than a whole number can tell", () => {
    assert.isNull(daysToGo([1, 3], 1000 * dayMillis, Number.MAX_SAFE_INTEGER))
  })
})

describe("days until so many units have come", () => {
  it("are those in which they came before, and go on at the pace of the last seven days", () => {
    const days = [100, 10, 10, 10, 10, 10, 10, 10]
    assert.strictEqual(daysUntil(days, 1), 1)
    assert.strictEqual(daysUntil(days, 100), 1)
    assert.strictEqual(daysUntil(days, 101), 2)
    assert.strictEqual(daysUntil(days, 170), 8)
    assert.strictEqual(daysUntil(days, 171), 9)
    assert.strictEqual(daysUntil(days, 271), 19)
  })

  it("are unknown where nobody comes any more", () => {
    assert.isNull(daysUntil([], 1))
    assert.isNull(daysUntil([5, 0, 0, 0, 0, 0, 0, 0], 6))
    assert.strictEqual(daysUntil([], 0), null)
  })
})
