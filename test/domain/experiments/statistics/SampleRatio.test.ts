import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as SampleRatio from "../../../../src/domain/experiments/statistics/SampleRatio.ts"
import { gap } from "../../../support/analytics/Gap.ts"
import { binomial, seeded } from "../../../support/Seeded.ts"
import { vectors as published } from "../../../support/Vectors.ts"
import { runCount } from "../../../support/Runs.ts"

interface Case {
  readonly observed: ReadonlyArray<number>
  readonly weights: ReadonlyArray<number>
  readonly pValue: number
}

describe("sample ratio", () => {
  const vectors = published<{ readonly cases: ReadonlyArray<Case> }>("srm.json")
  /** Upstream counts arms of weight 0 as degrees of freedom; here they take no part. */
  const countsEmptyArms = ({ weights, pValue }: Case) => weights.some((weight) => weight <= 0) && pValue < 1

  it.each(vectors.cases.filter((test) => !countsEmptyArms(test)))("of $observed by $weights is as published", (test) =>
    assert.isNull(gap(SampleRatio.checkPhase(test).pValue, test.pValue))
  )

  it("of the Cookie Cats experiment is a warning", () => {
    const result = SampleRatio.check([{ observed: [44_700, 45_489], weights: [5_000, 5_000] }])
    assert.strictEqual(result.chiSquare.toFixed(4), "6.9024")
    assert.strictEqual(result.pValue.toFixed(4), "0.0086")
    assert.strictEqual(result.verdict, "warning")
  })

  it("leaves out arms of weight 0 with their units and their degree of freedom", () => {
    const result = SampleRatio.check([{ observed: [5_200, 4_800, 37], weights: [5_000, 5_000, 0] }])
    const without = SampleRatio.check([{ observed: [5_200, 4_800], weights: [1, 1] }])
    assert.strictEqual(result.degreesOfFreedom, 1)
    assert.strictEqual(result.pValue, without.pValue)
    assert.deepStrictEqual(result.observed, [5_200, 4_800, 0])
    assert.deepStrictEqual(result.expected, [5_000, 5_000, 0])
  })

  it("concludes nothing under 100 units, without units, or with one arm", () => {
    assert.strictEqual(SampleRatio.check([{ observed: [99, 0], weights: [1, 1] }]).verdict, "insufficient")
    assert.strictEqual(SampleRatio.check([{ observed: [0, 0], weights: [1, 1] }]).pValue, 1)
    assert.deepInclude(SampleRatio.check([]), { pValue: 1, degreesOfFreedom: 0 })
    assert.deepInclude(SampleRatio.check([{ observed: [500, 3], weights: [1, 0] }]), { pValue: 1, verdict: "healthy" })
  })

  it("of one phase is that of the phase; cutting a phase in two changes nothing", () => {
    const counts = FastCheck.array(FastCheck.nat(5_000), { minLength: 3, maxLength: 3 })
    const weights = FastCheck.array(FastCheck.nat(10), { minLength: 3, maxLength: 3 })
    FastCheck.assert(
      FastCheck.property(counts, counts, weights, (first, second, weights) => {
        const together = { observed: first.map((count, arm) => count + second[arm]!), weights }
        const whole = SampleRatio.checkPhase(together)
        assert.deepStrictEqual(SampleRatio.check([together]), whole)
        const cut = SampleRatio.check([
          { observed: first, weights },
          { observed: second, weights }
        ])
        assert.isNull(gap(cut.pValue, whole.pValue), "cut")
        assert.strictEqual(cut.degreesOfFreedom, whole.degreesOfFreedom)
      }),
      { numRuns: runCount(1_000) }
    )
  })
})

const ramp = [
  [9_000, 1_000],
  [7_500, 2_500],
  [5_000, 5_000]
]

/** Units reach the arms by the weights of their phase; of those of the treatment only `kept` are ever exposed. */
const simulate = (seed: number, kept: number): ReadonlyArray<SampleRatio.ExposurePhase> => {
  const random = seeded(seed)
  return ramp.map((weights) => {
    const treated = binomial(random, 20_000, weights[1]! / 10_000)
    return { observed: [20_000 - treated, binomial(random, treated, kept)], weights }
  })
}

describe("a ramp of the treatment from 10 % to 50 % in three phases", () => {
  const verdicts = (kept: number) =>
    Array.from({ length: 200 }, (_, seed) => SampleRatio.check(simulate(seed + 1, kept)))

  it("is healthy, although the totals are far from the last weights", () => {
    const results = verdicts(1)
    assert.isAtMost(results.filter(({ verdict }) => verdict === "unhealthy").length, 1)
    assert.isAtMost(results.filter(({ verdict }) => verdict !== "healthy").length, 6)
    for (const { observed } of results) {
      assert.strictEqual(SampleRatio.check([{ observed, weights: [5_000, 5_000] }]).verdict, "unhealthy")
    }
  })

  it("is noticed when the treatment loses 5 % of its units", () => {
    const results = verdicts(0.95)
    assert.isAtLeast(results.filter(({ verdict }) => verdict === "unhealthy").length, 180)
  })
})
