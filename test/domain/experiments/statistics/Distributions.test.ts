import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as ChiSquare from "../../../../src/domain/experiments/statistics/ChiSquare.ts"
import { logGamma } from "../../../../src/domain/experiments/statistics/Gamma.ts"
import * as Normal from "../../../../src/domain/experiments/statistics/Normal.ts"
import * as StudentT from "../../../../src/domain/experiments/statistics/StudentT.ts"
import { gap } from "../../../support/analytics/Gap.ts"
import { runCount } from "../../../support/Runs.ts"

describe("published tables", () => {
  it("upper quantiles of the normal distribution (NIST/SEMATECH 1.3.6.7.1, Abramowitz and Stegun 26.5)", () => {
    for (const [p, x] of [
      [0.1, 1.2815515655],
      [0.05, 1.644853627],
      [0.025, 1.9599639845],
      [0.01, 2.326347874],
      [0.005, 2.5758293035],
      [0.0005, 3.2905267315]
    ] as const) {
      assert.isNull(gap(Normal.upperQuantile(p), x, 1e-9), `z(${p})`)
      assert.isNull(gap(Normal.tail(x), p, 1e-8), `P(Z > ${x})`)
    }
  })

  it("far tails of the normal distribution keep their digits (Abramowitz and Stegun 26.2, -log10 Q)", () => {
    for (const [x, digits] of [
      [5, 6.54265],
      [10, 23.11805],
      [20, 88.5601],
      [30, 197.30921]
    ] as const) {
      assert.isBelow(Math.abs(-Math.log10(Normal.tail(x)) - digits), 6e-6)
    }
  })

  it("quantiles of Student's t (NIST/SEMATECH 1.3.6.7.2)", () => {
    for (const [degrees, at90, at975, at999] of [
      [1, 3.078, 12.706, 318.313],
      [2, 1.886, 4.303, 22.327],
      [5, 1.476, 2.571, 5.893],
      [10, 1.372, 2.228, 4.144],
      [30, 1.31, 2.042, 3.385],
      [100, 1.29, 1.984, 3.174]
    ] as const) {
      for (const [p, x] of [
        [0.9, at90],
        [0.975, at975],
        [0.999, at999]
      ] as const) {
        assert.isBelow(Math.abs(StudentT.quantile(p, degrees) - x), x > 100 ? 5e-3 : 6e-4, `t(${p}, ${degrees})`)
      }
    }
  })

  it("quantiles of chi-square (NIST/SEMATECH 1.3.6.7.4)", () => {
    for (const [degrees, at95, at999] of [
      [1, 3.841, 10.828],
      [2, 5.991, 13.816],
      [3, 7.815, 16.266],
      [7, 14.067, 24.322],
      [10, 18.307, 29.588],
      [30, 43.773, 59.703]
    ] as const) {
      assert.isBelow(Math.abs(ChiSquare.quantile(0.95, degrees) - at95), 6e-4)
      assert.isBelow(Math.abs(ChiSquare.quantile(0.999, degrees) - at999), 6e-4)
    }
  })

  it("closed forms: Cauchy and two degrees for t, exponential for chi-square, factorials for gamma", () => {
    for (const x of [1e-6, 0.3, 1, 1.7, 2.5, 40]) {
      assert.isNull(gap(StudentT.tail(x, 1), Math.atan(1 / x) / Math.PI, 1e-13), `Cauchy ${x}`)
      const root = Math.sqrt(2 + x * x)
      assert.isNull(gap(StudentT.tail(x, 2), 1 / (root * (root + x)), 1e-13), `t with 2 degrees ${x}`)
      assert.isNull(gap(ChiSquare.tail(x, 2), Math.exp(-x / 2), 1e-13), `exponential ${x}`)
      assert.isNull(gap(ChiSquare.tail(x * x, 1), 2 * Normal.tail(x), 1e-12), `square of a normal ${x}`)
    }
    let factorial = 1
    for (let n = 1; n <= 30; n++) {
      assert.isNull(gap(logGamma(n), Math.log(factorial), 1e-14), `gamma(${n})`)
      factorial *= n
    }
  })
})

describe("quantile and distribution function", () => {
  const probability = FastCheck.double({ min: 1e-12, max: 1 - 1e-9, noNaN: true })
  const degrees = FastCheck.double({ min: 0.6, max: 2e5, noNaN: true })

  it("undo each other", () => {
    FastCheck.assert(
      FastCheck.property(probability, degrees, (p, freedom) => {
        assert.isNull(gap(Normal.cdf(Normal.quantile(p)), p, 1e-9), "normal")
        assert.isNull(gap(StudentT.cdf(StudentT.quantile(p, freedom), freedom), p, 1e-9), "t")
        const few = Math.min(freedom, 200)
        assert.isNull(gap(ChiSquare.cdf(ChiSquare.quantile(p, few), few), p, 1e-6), "chi-square")
      }),
      { numRuns: runCount(2_000) }
    )
  })

  it("t falls with its argument and grows with fewer degrees of freedom", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.double({ min: 0.01, max: 30, noNaN: true }),
        FastCheck.double({ min: 0.01, max: 5, noNaN: true }),
        degrees,
        (x, further, freedom) => {
          assert.isAbove(StudentT.tail(x, freedom), StudentT.tail(x + further, freedom))
          assert.isAtLeast(StudentT.tail(x, freedom), StudentT.tail(x, freedom * 2))
          assert.isAtLeast(StudentT.tail(x, freedom) * (1 + 1e-9), Normal.tail(x))
        }
      ),
      { numRuns: runCount(2_000) }
    )
  })

  it("is 0, infinite or one half at the ends and in the middle", () => {
    assert.strictEqual(Normal.quantile(0.5), 0)
    assert.strictEqual(StudentT.quantile(0.5, 3), 0)
    assert.strictEqual(Normal.quantile(1), Infinity)
    assert.strictEqual(Normal.quantile(0), -Infinity)
    assert.strictEqual(StudentT.quantile(1, 4), Infinity)
    assert.strictEqual(ChiSquare.quantile(0, 4), 0)
    assert.strictEqual(ChiSquare.cdf(0, 4), 0)
    assert.strictEqual(ChiSquare.quantile(1, 4), Infinity)
    assert.strictEqual(Normal.tail(0), 0.5)
  })
})
