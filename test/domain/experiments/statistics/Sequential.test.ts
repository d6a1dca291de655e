import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import { ofValue } from "../../../../src/domain/experiments/statistics/Arm.ts"
import { difference } from "../../../../src/domain/experiments/statistics/Difference.ts"
import * as Frequentist from "../../../../src/domain/experiments/statistics/Frequentist.ts"
import * as Sequential from "../../../../src/domain/experiments/statistics/Sequential.ts"
import * as SequentialBound from "../../../../src/domain/experiments/statistics/SequentialBound.ts"
import { mean, proportion } from "../../../../src/domain/experiments/statistics/Sufficient.ts"
import { gap } from "../../../support/analytics/Gap.ts"
import { binomial, gaussian, seeded } from "../../../support/Seeded.ts"
import { vectors as published } from "../../../support/Vectors.ts"
import { runCount } from "../../../support/Runs.ts"

interface Case {
  readonly alpha: number
  readonly tuning: number
  readonly n: number
  readonly standardError: number
  readonly rho: number
  readonly halfWidth: number
  readonly halfWidthOneSided: number
}

describe("confidence sequence", () => {
  const vectors = published<{ readonly cases: ReadonlyArray<Case> }>("sequential-interval.json")
  it("agrees with the published half-widths", () => {
    for (const [index, test] of vectors.cases.entries()) {
      const { alpha, tuning, n, standardError } = test
      const tightest = Sequential.rho(alpha, tuning)
      assert.isNull(gap(tightest, test.rho), `${index} rho`)
      assert.isNull(gap(Sequential.halfWidth(standardError, n, alpha, tightest), test.halfWidth), `${index} half-width`)
      const oneSided = SequentialBound.halfWidth(standardError, n, alpha, Sequential.rho(2 * alpha, tuning))
      assert.isNull(gap(oneSided, test.halfWidthOneSided), `${index} one-sided half-width`)
    }
  })

  const units = FastCheck.integer({ min: 2, max: 100_000 })
  const sample = FastCheck.tuple(units, FastCheck.double({ min: 0.01, max: 0.99, noNaN: true })).map(([n, rate]) =>
    ofValue({ n, value: proportion(Math.min(n - 1, Math.max(1, Math.round(n * rate)))) })
  )
  const level = FastCheck.constantFrom(0.01, 0.05, 0.1)

  it("leaves 0 out exactly when its p-value is at most alpha, and is wider than the fixed-horizon interval", () => {
    FastCheck.assert(
      FastCheck.property(sample, sample, level, FastCheck.constantFrom(100, 5_000, 50_000), (a, b, alpha, tuning) => {
        const effect = Either.getOrThrow(difference("absolute", a, b))
        const { interval, pValue } = Sequential.test(effect, alpha, tuning)
        if (Math.abs(pValue / alpha - 1) > 1e-9) {
          assert.strictEqual(interval[0] > 0 || interval[1] < 0, pValue < alpha)
        }
        if (effect.degreesOfFreedom > 100) {
          const fixed = Frequentist.test(effect, alpha)
          assert.isBelow(interval[0], fixed.interval[0])
          assert.isAbove(interval[1], fixed.interval[1])
          if (fixed.pValue === 1) assert.strictEqual(pValue, 1)
          else if (fixed.pValue > 1e-6) assert.isAbove(pValue, fixed.pValue)
        }
      }),
      { numRuns: runCount(2_000) }
    )
  })

  it("one-sided bounds mirror each other", () => {
    FastCheck.assert(
      FastCheck.property(sample, sample, level, (a, b, alpha) => {
        const effect = Either.getOrThrow(difference("absolute", a, b))
        const mirrored = { ...effect, estimate: -effect.estimate }
        const greater = SequentialBound.test(effect, alpha, "greater")
        const lesser = SequentialBound.test(mirrored, alpha, "lesser")
        assert.strictEqual(greater.interval[0], -lesser.interval[1])
        assert.deepStrictEqual([greater.interval[1], lesser.interval[0]], [Infinity, -Infinity])
        assert.strictEqual(greater.pValue, lesser.pValue)
      }),
      { numRuns: runCount(1_000) }
    )
  })
})

/** Looks every day at two arms that grow by `daily` units each; answers whether any look was called a difference. */
const everSignificant = (
  days: number,
  drawDay: () => readonly [ReturnType<typeof ofValue>, ReturnType<typeof ofValue>],
  isSignificant: (control: ReturnType<typeof ofValue>, treatment: ReturnType<typeof ofValue>) => boolean
): boolean => {
  let found = false
  for (let day = 0; day < days; day++) found = isSignificant(...drawDay()) || found
  return found
}

const alpha = 0.05
const sequentially = (a: ReturnType<typeof ofValue>, b: ReturnType<typeof ofValue>): boolean =>
  Either.match(difference("relative", a, b), {
    onLeft: () => false,
    onRight: (effect) => Sequential.test(effect, alpha).pValue <= alpha
  })
const atFixedHorizon = (a: ReturnType<typeof ofValue>, b: ReturnType<typeof ofValue>): boolean =>
  Either.match(difference("relative", a, b), {
    onLeft: () => false,
    onRight: (effect) => Frequentist.test(effect, alpha).pValue <= alpha
  })

const conversions = (random: () => number, daily: number, rate: number) => {
  const arms = [
    { n: 0, sum: 0 },
    { n: 0, sum: 0 }
  ]
  return () => {
    for (const arm of arms) {
      arm.n += daily
      arm.sum += binomial(random, daily, rate)
    }
    const [a, b] = arms.map(({ n, sum }) => ofValue({ n, value: proportion(sum) }))
    return [a!, b!] as const
  }
}

const revenues = (random: () => number, daily: number) => {
  const arms = [
    { n: 0, sum: 0, sumSquares: 0 },
    { n: 0, sum: 0, sumSquares: 0 }
  ]
  return () => {
    for (const arm of arms) {
      arm.n += daily
      for (let unit = 0; unit < daily; unit++) {
        const spent = random() < 0.3 ? Math.exp(1 + gaussian(random)) : 0
        arm.sum += spent
        arm.sumSquares += spent ** 2
      }
    }
    const [a, b] = arms.map(({ n, sum, sumSquares }) => ofValue({ n, value: mean(sum, sumSquares) }))
    return [a!, b!] as const
  }
}

describe("500 A/A experiments looked at every day for four weeks", () => {
  const share = (
    start: (random: () => number) => () => readonly [ReturnType<typeof ofValue>, ReturnType<typeof ofValue>],
    test: typeof sequentially
  ) => {
    let falseAlarms = 0
    for (let experiment = 0; experiment < 500; experiment++) {
      if (everSignificant(28, start(seeded(experiment + 1)), test)) falseAlarms++
    }
    return falseAlarms / 500
  }

  it("raise at most alpha false alarms with conversions", () => {
    assert.isAtMost(
      share((random) => conversions(random, 100, 0.2), sequentially),
      alpha
    )
  })

  it("raise at most alpha false alarms with skewed revenue", () => {
    assert.isAtMost(
      share((random) => revenues(random, 100), sequentially),
      alpha
    )
  })

  it("would raise many more with a fixed-horizon test", () => {
    assert.isAbove(
      share((random) => conversions(random, 100, 0.2), atFixedHorizon),
      3 * alpha
    )
  })
})
