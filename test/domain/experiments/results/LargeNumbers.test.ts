import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { compareGroups, relativeEffect } from "../../../../src/domain/experiments/results/GroupComparison.ts"
import { add, MomentTally } from "../../../../src/domain/experiments/results/Moments.ts"
import { type MetricShape, spreadOf } from "../../../../src/domain/experiments/results/Samples.ts"
import type { Moments } from "../../../../src/domain/experiments/results/ScorecardPlan.ts"
import { standardOptions } from "../../../../src/domain/experiments/statistics/Comparison.ts"
import { runCount } from "../../../support/Runs.ts"

type Unit = ReadonlyArray<number>

const momentsOf = (units: ReadonlyArray<Unit>): Moments => {
  const tally = new MomentTally(1, units[0]?.length ?? 1)
  for (const unit of units) tally.add(0, unit, true)
  return tally.of(0)
}

const finest = 1074

/** A finite double as a multiple of 2^-1074. */
const multipleOf = (value: number): bigint => {
  const bits = new BigUint64Array(Float64Array.of(value).buffer)[0] ?? 0n
  const exponent = (bits >> 52n) & 2047n
  const fraction = bits & ((1n << 52n) - 1n)
  const size = exponent === 0n ? fraction : (fraction | (1n << 52n)) << (exponent - 1n)
  return value < 0 ? -size : size
}

/** Numbers of very different sizes, of which the largest are beyond the root of the largest double; none so small that its bits are lost. */
const numbers = fc
  .record({
    mantissa: fc.double({ min: -2, max: 2, noNaN: true, noDefaultInfinity: true }),
    exponent: fc.constantFrom(0, 3, 119, 120, 470, 515, 600, 900)
  })
  .map(({ mantissa, exponent }) => (Math.abs(mantissa) < 1e-100 ? 0 : mantissa * 2 ** exponent))

const assertNear = (found: bigint, exact: bigint, size: bigint, message: string) => {
  const off = found > exact ? found - exact : exact - found
  assert.isTrue(off * 10n ** 11n <= size, message)
}

const runs = { fastCheck: { numRuns: runCount(300) } }

describe("Large numbers", () => {
  it.prop(
    "have the mean and the variance of exact arithmetic, and none where that passes the range of a double",
    [fc.array(numbers, { minLength: 2, maxLength: 30 })],
    ([values]) => {
      const { mean, variance } = spreadOf("mean", momentsOf(values.map((value) => [value])))
      const exact = values.map(multipleOf)
      const n = BigInt(exact.length)
      const [sum, squares] = [exact.reduce((a, b) => a + b, 0n), exact.reduce((a, b) => a + b * b, 0n)]
      const sizes = exact.reduce((a, b) => a + (b < 0n ? -b : b), 0n)
      assert.isNotNull(mean)
      assertNear(multipleOf(mean ?? 0) * n, sum, sizes, "mean")
      // In multiples of 2^-2148, times n (n - 1).
      const spread = n * squares - sum * sum
      const largest = (multipleOf(Number.MAX_VALUE) << BigInt(finest)) * n * (n - 1n)
      if (variance === null) return assert.isTrue(spread * 1000n > largest * 999n, "no variance")
      return assertNear((multipleOf(variance) << BigInt(finest)) * n * (n - 1n), spread, n * squares, "variance")
    },
    runs
  )

  it.prop(
    "say the same in two portions",
    [fc.array(fc.tuple(numbers, numbers), { minLength: 4, maxLength: 20 }), fc.nat({ max: 20 })],
    ([units, at]) => {
      const whole = spreadOf("mean", momentsOf(units))
      const parts = [units.slice(0, at), units.slice(at)].filter((part) => part.length > 0).map(momentsOf)
      const { n, mean, variance } = spreadOf("mean", parts.reduce(add))
      const size = Math.max(Number.MIN_VALUE, ...units.map(([value = 0]) => Math.abs(value)))
      assert.strictEqual(n, whole.n)
      assert.isAtMost(Math.abs((mean ?? 0) - (whole.mean ?? 0)), size * 1e-12)
      assert.isAtMost(Math.abs((variance ?? 0) / size / size - (whole.variance ?? 0) / size / size), 1e-11)
    },
    runs
  )

  const groups = (shape: MetricShape, by: number, unit: (at: number) => Unit): readonly [Moments, Moments] => {
    const measured = (from: number) =>
      Array.from({ length: 80 }, (_, at) =>
        unit(from + at).map((value, place) => (place % 2 === 0 || shape === "mean" ? value * by : value))
      )
    return [momentsOf(measured(0)), momentsOf(measured(1000))]
  }

  const units: Readonly<Record<"mean" | "ratio", (at: number) => Unit>> = {
    mean: (at) => [3 + ((at * 7919) % 101) / 10 + (at >= 1000 ? 1 : 0), 2 + ((at * 7919) % 89) / 10],
    ratio: (at) => [5 + ((at * 31) % 17), 1 + ((at * 13) % 5), 4 + ((at * 31) % 13), 1 + ((at * 11) % 7)]
  }

  for (const shape of ["mean", "ratio"] as const)
    for (const exponent of [100, 130, 400, 515, 700, 1000])
      it(`compare as small ones do: a ${shape} times 2^${exponent}`, () => {
        const by = 2 ** exponent
        const [small, large] = [groups(shape, 1, units[shape]), groups(shape, by, units[shape])]
        const [expected, found] = [small, large].map((pair) => compareGroups(shape, ...pair, standardOptions))
        const near = (actual: number | null | undefined, wanted: number | null | undefined) => {
          assert.isNumber(actual)
          assert.approximately((actual ?? 0) / (wanted ?? 0), 1, 1e-9)
        }
        near((found?.absolute ?? 0) / by, expected?.absolute)
        near(found?.relative, expected?.relative)
        for (const method of ["frequentist", "sequential"] as const) {
          near(found?.[method].pValue, expected?.[method].pValue)
          for (const end of [0, 1] as const) {
            near(found?.[method].interval?.[end], expected?.[method].interval?.[end])
            near((found?.[method].absoluteInterval?.[end] ?? 0) / by, expected?.[method].absoluteInterval?.[end])
          }
        }
        near(found?.frequentist.degreesOfFreedom, expected?.frequentist.degreesOfFreedom)
        near(found?.bayesian.chanceToWin, expected?.bayesian.chanceToWin)
        near(found?.cuped?.theta, expected?.cuped?.theta)
        near(found?.cuped?.frequentist.pValue, expected?.cuped?.frequentist.pValue)
        const effects = [small, large].map((pair) => relativeEffect(shape, ...pair, standardOptions))
        near(effects[1]?.interval?.[0], effects[0]?.interval?.[0])
      })

  it("leave a metric able to say something when one player has one", () => {
    const ordinary = Array.from({ length: 100 }, (_, at): Unit => [at % 7, at % 5])
    const [control, treatment] = [momentsOf(ordinary), momentsOf([...ordinary.slice(1), [1e155, 1]])]
    const { absolute, frequentist, sequential } = compareGroups("mean", control, treatment, standardOptions)
    assert.approximately(spreadOf("mean", treatment).variance ?? 0, 1e308, 1e306)
    assert.approximately(absolute ?? 0, 1e153, 1e150)
    for (const { pValue, absoluteInterval } of [frequentist, sequential]) {
      assert.isAbove(pValue ?? 0, 0.3)
      assert.isBelow(absoluteInterval?.[0] ?? 0, 0)
      assert.isAbove(absoluteInterval?.[1] ?? 0, 1e153)
    }
  })
})
