import { assert, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { addExactParts } from "../../../../../src/adapters/sqlite/events/read/ExactSums.ts"
import { OrderStatistic } from "../../../../../src/adapters/sqlite/events/scan/OrderStatistic.ts"
import { exactSum } from "../../../../../src/domain/analytics/insight/Sum.ts"
import { runCount } from "../../../../support/Runs.ts"

const anyDouble = fc.double({ noNaN: true, noDefaultInfinity: true })
const price = fc.integer({ min: -500, max: 9999 }).map((cents) => cents / 100)
const skewed = fc.double({ min: 0, max: 300, noNaN: true }).map((power) => 2 ** power)
const few = fc.constantFrom(0, 1, 1e-300, 7.25, 1e300, -1e300)

/** Long arrays of few drawn values, so that ties and outliers are common. */
const numbers = fc
  .tuple(
    fc.oneof(...[anyDouble, price, skewed, few].map((one) => fc.array(one, { minLength: 1, maxLength: 40 }))),
    fc.integer({ min: 1, max: 3000 }),
    fc.integer({ min: 1, max: 1_000_003 })
  )
  .map(([drawn, length, stride]) =>
    Float64Array.from({ length }, (_, at) => drawn[(at * stride) % drawn.length]! + (at % 7) * drawn[0]! * 2 ** -20)
  )
  .filter((values) => values.every(Number.isFinite))

it("The k-th smallest value is the one at k of the sorted values, in any order of asking", () =>
  fc.assert(
    fc.property(numbers, fc.array(fc.nat(), { minLength: 1, maxLength: 12 }), (values, places) => {
      const order = new OrderStatistic(values)
      const sorted = values.toSorted()
      for (const place of places)
        assert.strictEqual(order.at(place % values.length) + 0, sorted[place % values.length]! + 0)
    }),
    { numRuns: runCount(1000) }
  ))

it("The exact parts of two halves sum up to the exact sum of all values", () =>
  fc.assert(
    fc.property(numbers, fc.nat(), (values, cut) => {
      const parts: Array<number> = []
      const middle = cut % values.length
      addExactParts(values, 0, middle, parts)
      addExactParts(values, middle, values.length, parts)
      assert.strictEqual(String(exactSum(parts)), String(exactSum(values)))
    }),
    { numRuns: runCount(1000) }
  ))
