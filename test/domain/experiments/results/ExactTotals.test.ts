import { assert, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { exactSum } from "../../../../src/domain/analytics/insight/Sum.ts"
import { ExactTotals } from "../../../../src/domain/experiments/results/ExactTotals.ts"
import { MomentTally, add, none } from "../../../../src/domain/experiments/results/Moments.ts"
import { runCount } from "../../../support/Runs.ts"

const size = fc.double({ min: -1e300, max: 1e300, noNaN: true })
const awkward = fc.oneof(size, fc.constantFrom(0.1, 0.7, 1e16, -1e16, 1e-300, 3, -0.3))
const values = fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), awkward), { maxLength: 30 })

it("Totals are exact sums, whatever the order in which the values of several series come", () =>
  fc.assert(
    fc.property(values, (all) => {
      const totals = new ExactTotals(3)
      for (const [at, value] of all) totals.add(at, value)
      for (const series of [0, 1, 2]) {
        const own = all.filter(([at]) => at === series).map(([, value]) => value)
        assert.strictEqual(totals.total(series), exactSum(own))
      }
    }),
    { numRuns: runCount(2000) }
  ))

const units = fc.array(fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 }), fc.boolean()))

it("Moments of two sets of units add up to those of both", () =>
  fc.assert(
    fc.property(units, units, (first, second) => {
      const momentsOf = (all: typeof first) => {
        const tally = new MomentTally(1, 2)
        for (const [value, prior, hasPrior] of all) tally.add(0, [value, prior], hasPrior)
        return tally.of(0)
      }
      const together = momentsOf([...first, ...second])
      assert.deepEqual(add(momentsOf(first), momentsOf(second)), together)
      assert.deepEqual(add(none(2), together), together)
      assert.strictEqual(
        together.products[1],
        [...first, ...second].reduce((sum, [value, prior]) => sum + value * prior, 0)
      )
    }),
    { numRuns: runCount(1000) }
  ))
