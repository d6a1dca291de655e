import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { ofRatio } from "../../../../src/domain/experiments/statistics/Arm.ts"
import { difference } from "../../../../src/domain/experiments/statistics/Difference.ts"
import * as Frequentist from "../../../../src/domain/experiments/statistics/Frequentist.ts"
import * as RatioCuped from "../../../../src/domain/experiments/statistics/RatioCuped.ts"
import type { RatioCovariateSample } from "../../../../src/domain/experiments/statistics/Sufficient.ts"
import { mean } from "../../../../src/domain/experiments/statistics/Sufficient.ts"
import { gap } from "../../../support/analytics/Gap.ts"

const control: RatioCovariateSample = {
  n: 100,
  numerator: mean(485.112236689623, 2715.484666118136),
  denominator: mean(679.9093275844917, 4939.424001640236),
  priorNumerator: mean(192.59138069991536, 460.076026390857),
  priorDenominator: mean(290.1398399750233, 920.9461385038898),
  numeratorDenominator: 3602.146836776702,
  numeratorPriorNumerator: 1113.6215759318352,
  numeratorPriorDenominator: 1559.2878434944676,
  denominatorPriorNumerator: 1460.3181079276983,
  denominatorPriorDenominator: 2130.9404074446747,
  priorNumeratorPriorDenominator: 634.239482353647
}

const treatment: RatioCovariateSample = {
  n: 100,
  numerator: mean(514.7757826608777, 2994.897482705013),
  denominator: mean(705.4090874383759, 5291.36604146392),
  priorNumerator: mean(206.94157227402536, 514.2903702246757),
  priorDenominator: mean(302.54389139107326, 994.4506208125663),
  numeratorDenominator: 3918.1561431600717,
  numeratorPriorNumerator: 1237.0953021125997,
  numeratorPriorDenominator: 1701.0287270040265,
  denominatorPriorNumerator: 1604.0759503266522,
  denominatorPriorDenominator: 2292.081739775257,
  priorNumeratorPriorDenominator: 698.4173425817908
}

/** Units that each made so many purchases, all of one price. */
const ofOnePrice = (price: number, counts: ReadonlyArray<number>) => {
  const sumOf = (valueOf: (count: number) => number) => counts.reduce((sum, count) => sum + valueOf(count), 0)
  return ofRatio({
    n: counts.length,
    numerator: mean(
      sumOf((count) => count * price),
      sumOf((count) => (count * price) ** 2)
    ),
    denominator: mean(
      sumOf((count) => count),
      sumOf((count) => count ** 2)
    ),
    numeratorDenominator: sumOf((count) => count * price * count)
  })
}

describe("a ratio that is the same for every unit", () => {
  it.each([0.1, 0.3, 1.99, 4.99, 5, 5.99, 1e12, 1e-9])("does not vary, whatever rounding leaves: %d", (price) => {
    for (const step of [1, 2, 3, 5]) {
      const counts = Array.from({ length: 500 }, (_, unit) => (unit * step) % 7)
      const { mean, variance } = ofOnePrice(price, counts)
      assert.approximately(mean / price, 1, 1e-12)
      assert.strictEqual(variance, 0)
    }
  })
})

describe("CUPED of a ratio metric", () => {
  const [a, b] = RatioCuped.adjust(control, treatment)

  it("agrees with gbstats 0.8.0 on the inputs of its own tests", () => {
    for (const [scale, estimate, standardError, pValue, low, high] of [
      [
        "relative",
        -0.0007014833343350888,
        0.003907384079294605,
        0.8577104052724662,
        -0.008407786143632317,
        0.00700481947496214
      ],
      [
        "absolute",
        -0.0005005051931391558,
        0.00278823977470492,
        0.8577275125565578,
        -0.005999585798668424,
        0.004998575412390112
      ]
    ] as const) {
      const measured = Either.getOrThrow(difference(scale, a, b))
      const result = Frequentist.test(measured, 0.05)
      assert.isNull(gap(measured.estimate, estimate), `${scale} estimate`)
      assert.isNull(gap(measured.standardError, standardError), `${scale} standard error`)
      assert.isNull(gap(result.pValue, pValue), `${scale} p-value`)
      assert.isNull(gap(result.interval[0], low), `${scale} low`)
      assert.isNull(gap(result.interval[1], high), `${scale} high`)
    }
  })

  it("lowers the error of the plain ratio and keeps it without prior data", () => {
    const plain = Either.getOrThrow(difference("absolute", ofRatio(control), ofRatio(treatment)))
    assert.isBelow(Either.getOrThrow(difference("absolute", a, b)).standardError, plain.standardError)
    const empty = { priorNumerator: mean(0, 0), priorDenominator: mean(0, 0), priorNumeratorPriorDenominator: 0 }
    const [c, d] = RatioCuped.adjust({ ...control, ...empty }, treatment)
    assert.deepStrictEqual(difference("absolute", c, d), Either.right(plain))
  })
})
