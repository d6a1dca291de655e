import { assert, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { sortedNumbers, valueInRuns } from "../../../../../src/adapters/sqlite/events/scan/SortedRuns.ts"
import { runCount } from "../../../../support/Runs.ts"

const anyDouble = fc.double({ noNaN: true, noDefaultInfinity: true })
const price = fc.integer({ min: -500, max: 9999 }).map((cents) => cents / 100)
const skewed = fc.double({ min: 0, max: 300, noNaN: true }).map((power) => 2 ** power)
const few = fc.constantFrom(0, 1, 1e-300, 7.25, 1e300, -1e300, NaN)

/** Long arrays of few drawn values, so that ties and outliers are common. */
const numbers = fc
  .tuple(
    fc.oneof(...[anyDouble, price, skewed, few].map((one) => fc.array(one, { minLength: 1, maxLength: 40 }))),
    fc.integer({ min: 0, max: 2000 }),
    fc.integer({ min: 1, max: 1_000_003 })
  )
  .map(([drawn, length, stride]) =>
    Float64Array.from({ length }, (_, at) => drawn[(at * stride) % drawn.length]! + (at % 7) * 2 ** -20)
  )

const sorted = (values: Float64Array) => values.filter((value) => !Number.isNaN(value)).sort()

it("Numbers are sorted whatever their sizes, and NaN is left out", () =>
  fc.assert(
    fc.property(numbers, (values) => assert.deepStrictEqual(sortedNumbers(values), sorted(values))),
    { numRuns: runCount(500) }
  ))

it("The k-th smallest value of sorted runs is the one at k of all values sorted", () =>
  fc.assert(
    fc.property(
      fc.array(numbers, { minLength: 1, maxLength: 6 }),
      fc.array(fc.nat(), { minLength: 1, maxLength: 8 }),
      (all, places) => {
        const runs = all.map(sorted)
        const together = Float64Array.from(runs.flatMap((run) => [...run])).sort()
        for (const place of together.length === 0 ? [] : places)
          assert.strictEqual(valueInRuns(runs, place % together.length), together[place % together.length])
      }
    ),
    { numRuns: runCount(500) }
  ))
