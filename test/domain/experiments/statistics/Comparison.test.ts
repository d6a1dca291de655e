import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import { ofRatio, ofValue } from "../../../../src/domain/experiments/statistics/Arm.ts"
import { compare, standardOptions } from "../../../../src/domain/experiments/statistics/Comparison.ts"
import * as Cuped from "../../../../src/domain/experiments/statistics/Cuped.ts"
import { absoluteDifference, difference } from "../../../../src/domain/experiments/statistics/Difference.ts"
import * as Frequentist from "../../../../src/domain/experiments/statistics/Frequentist.ts"
import * as Normal from "../../../../src/domain/experiments/statistics/Normal.ts"
import {
  minimumDetectableEffect,
  powerOf,
  standardPlan,
  unitsPerArm
} from "../../../../src/domain/experiments/statistics/Power.ts"
import { add, mean, proportion } from "../../../../src/domain/experiments/statistics/Sufficient.ts"
import { gap } from "../../../support/analytics/Gap.ts"
import { binomial, gaussian, seeded } from "../../../support/Seeded.ts"
import { runCount } from "../../../support/Runs.ts"

const converted = (n: number, sum: number) => ofValue({ n, value: proportion(sum) })

const quantityOf = (values: ReadonlyArray<number>) =>
  mean(
    values.reduce((total, value) => total + value, 0),
    values.reduce((total, value) => total + value ** 2, 0)
  )

describe("the Cookie Cats experiment (Kaggle, 90,189 players)", () => {
  it("retention after one day: 44.8188 % against 44.2283 %", () => {
    const result = Either.getOrThrow(compare(converted(44_700, 20_034), converted(45_489, 20_119), standardOptions))
    assert.strictEqual(result.frequentist.statistic.toFixed(4), "-1.7841")
    assert.strictEqual((2 * Normal.tail(1.7841)).toFixed(4), "0.0744")
    assert.strictEqual(result.frequentist.pValue.toFixed(5), "0.07441")
    const [low, high] = result.sequential.interval ?? [0, 0]
    assert.isTrue(low < 0 && high > 0)
  })

  it("retention after seven days: 19.0201 % against 18.2000 %", () => {
    const result = Either.getOrThrow(compare(converted(44_700, 8_502), converted(45_489, 8_279), standardOptions))
    assert.strictEqual(result.frequentist.statistic.toFixed(4), "-3.1641")
    assert.strictEqual(result.frequentist.pValue.toFixed(6), "0.001556")
    assert.isBelow(result.frequentist.absoluteInterval[1], 0)
  })
})

describe("a difference", () => {
  const values = FastCheck.array(FastCheck.integer({ min: -20, max: 50 }), { minLength: 2, maxLength: 40 })

  it("computed from sums is the one computed from the values, however they are split", () => {
    FastCheck.assert(
      FastCheck.property(values, FastCheck.nat(40), (values, at) => {
        const whole = ofValue({ n: values.length, value: quantityOf(values) })
        const split = add(quantityOf(values.slice(0, at)), quantityOf(values.slice(at)))
        assert.deepStrictEqual(ofValue({ n: values.length, value: split }), whole)
        const average = values.reduce((total, value) => total + value, 0) / values.length
        const squares = values.reduce((total, value) => total + (value - average) ** 2, 0)
        assert.approximately(whole.variance, squares / (values.length - 1), 1e-9)
      }),
      { numRuns: runCount(1_000) }
    )
  })

  it("turns its sign with the metric, and a change of unit changes nothing relative", () => {
    FastCheck.assert(
      FastCheck.property(values, values, FastCheck.constantFrom(-1, 0.25, 1_024), (a, b, unit) => {
        const arm = (values: ReadonlyArray<number>, unit: number) =>
          ofValue({ n: values.length, value: quantityOf(values.map((value) => value * unit)) })
        const plain = difference("relative", arm(a, 1), arm(b, 1))
        const scaled = difference("relative", arm(a, unit), arm(b, unit))
        assert.strictEqual(Either.isLeft(plain), Either.isLeft(scaled))
        if (Either.isLeft(plain) || Either.isLeft(scaled)) return
        assert.isNull(gap(scaled.right.estimate, plain.right.estimate * Math.sign(unit), 1e-9), "estimate")
        assert.isNull(gap(scaled.right.standardError, plain.right.standardError, 1e-6), "standard error")
      }),
      { numRuns: runCount(1_000) }
    )
  })

  it("is refused when an arm does not vary or the control is 0 on average", () => {
    const varying = converted(100, 30)
    assert.deepStrictEqual(difference("absolute", converted(100, 0), varying), Either.left("ZeroVariance"))
    assert.deepStrictEqual(difference("relative", converted(0, 0), varying), Either.left("ZeroVariance"))
    const constant = ofValue({ n: 1_000, value: quantityOf(Array.from({ length: 1_000 }, () => 0.1)) })
    assert.deepStrictEqual(difference("absolute", constant, varying), Either.left("ZeroVariance"))
    const balanced = ofValue({ n: 100, value: mean(0, 100) })
    assert.deepStrictEqual(difference("absolute", balanced, varying), Either.left("ZeroBaseline"))
  })

  it("in absolute terms is known where one arm does not vary: by the chi-square test of the table", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.integer({ min: 100, max: 5_000 }),
        FastCheck.integer({ min: 100, max: 5_000 }),
        FastCheck.integer({ min: 1, max: 99 }),
        FastCheck.boolean(),
        (none, some, converts, isControl) => {
          const [still, varying] = [converted(none, 0), converted(some, converts)]
          const { estimate, standardError, degreesOfFreedom } = Either.getOrThrow(
            isControl ? absoluteDifference(still, varying) : absoluteDifference(varying, still)
          )
          assert.strictEqual(estimate, (isControl ? 1 : -1) * (converts / some))
          const [all, share] = [none + some, converts / (none + some)]
          const chiSquare = (converts / some) ** 2 / (share * (1 - share) * (1 / none + 1 / some))
          assert.isNull(gap((estimate / standardError) ** 2, chiSquare, 0.011), "Pearson's statistic, but for n - 1")
          assert.strictEqual(degreesOfFreedom, all - 2)
        }
      ),
      { numRuns: runCount(500) }
    )
  })

  it("in absolute terms is known of a control that is 0 on average, and unknown where neither arm varies", () => {
    const varying = converted(100, 30)
    const balanced = ofValue({ n: 100, value: mean(0, 100) })
    const { standardError } = Either.getOrThrow(absoluteDifference(balanced, varying))
    assert.isNull(gap(standardError ** 2, 100 / 99 / 100 + 0.21 / 100))
    const unknown = Either.left("ZeroVariance" as const)
    assert.deepStrictEqual(absoluteDifference(converted(100, 0), converted(100, 100)), unknown)
    assert.deepStrictEqual(absoluteDifference(converted(0, 0), varying), unknown)
    const [nothing, some] = [0, 50].map((sum) =>
      ofRatio({ n: 100, numerator: mean(sum, sum), denominator: mean(sum, sum), numeratorDenominator: sum / 2 })
    )
    assert.deepStrictEqual(absoluteDifference(nothing!, some!), unknown)
  })

  it("of a ratio whose denominator is always 1 is that of the mean", () => {
    FastCheck.assert(
      FastCheck.property(values, (values) => {
        const n = values.length
        const numerator = quantityOf(values)
        const ratio = ofRatio({ n, numerator, denominator: mean(n, n), numeratorDenominator: numerator.sum })
        const plain = ofValue({ n, value: numerator })
        assert.approximately(ratio.mean, plain.mean, 1e-12)
        assert.approximately(ratio.variance, plain.variance, 1e-9)
      }),
      { numRuns: runCount(1_000) }
    )
  })
})

describe("CUPED", () => {
  const players = (seed: number, n: number, lift: number) => {
    const random = seeded(seed)
    const prior = Array.from({ length: n }, () => 10 + 3 * gaussian(random))
    const after = prior.map((before) => before + lift + gaussian(random))
    return {
      n,
      value: quantityOf(after),
      covariate: quantityOf(prior),
      valueCovariate: prior.reduce((total, before, unit) => total + before * after[unit]!, 0)
    }
  }

  it("finds the same effect with a fraction of the error when the past predicts the value", () => {
    const [control, treatment] = [players(1, 2_000, 0), players(2, 2_000, 0.3)]
    const plain = Either.getOrThrow(difference("absolute", ofValue(control), ofValue(treatment)))
    const [a, b] = Cuped.adjust(control, treatment)
    const adjusted = Either.getOrThrow(difference("absolute", a, b))
    assert.approximately(a.theta, 1, 0.05)
    assert.isBelow(adjusted.standardError, plain.standardError / 2.5)
    assert.approximately(adjusted.estimate, 0.3, 4 * adjusted.standardError)
  })

  it("does nothing when the past does not vary, and asks for 100 units and 5 % with a past", () => {
    const flat = { n: 50, value: mean(100, 400), covariate: mean(0, 0), valueCovariate: 0 }
    assert.deepStrictEqual(Cuped.adjust(flat, flat)[0], ofValue(flat))
    assert.isFalse(Cuped.isApplicable(100, 100))
    assert.isTrue(Cuped.isApplicable(101, 6))
    assert.isFalse(Cuped.isApplicable(1_000, 50))
  })
})

describe("planned power", () => {
  const [rate, lift] = [0.2, 0.03]
  const variance = (rate * (1 - rate) + (rate + lift) * (1 - rate - lift)) / 2
  const units = unitsPerArm(variance, lift)

  it("follows 2(z + z)²·var/δ² (NIST/SEMATECH 7.2.2.2) and its inverse", () => {
    assert.strictEqual(unitsPerArm(1, 0.5), 63)
    assert.strictEqual(unitsPerArm(1, 0.1, { alpha: 0.05, power: 0.9 }), 2_102)
    assert.isAtMost(minimumDetectableEffect(variance, units), lift)
    assert.isAbove(minimumDetectableEffect(variance, units - 1), lift)
    assert.isNull(gap(powerOf(lift, Math.sqrt((2 * variance) / units), standardPlan.alpha), 0.8, 1e-3), "power")
  })

  it("is reached at the planned end by 1,000 simulated experiments with the planned lift", () => {
    const random = seeded(20_260_101)
    let found = 0
    for (let experiment = 0; experiment < 1_000; experiment++) {
      const a = converted(units, binomial(random, units, rate))
      const b = converted(units, binomial(random, units, rate + lift))
      const effect = Either.getOrThrow(difference("absolute", a, b))
      if (Frequentist.test(effect, standardPlan.alpha).pValue <= standardPlan.alpha) found++
    }
    assert.approximately(found / 1_000, standardPlan.power, 3 * Math.sqrt((0.8 * 0.2) / 1_000))
  })
})
