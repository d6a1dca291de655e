import { describe, expect, it } from "vitest"
import { sequentialPValue } from "../../../../src/domain/experiments/statistics/SequentialSampleRatio.ts"
import { binomial, seeded } from "../../../support/Seeded.ts"
import { runCount } from "../../../support/Runs.ts"

/** The least p-value of hourly looks at an experiment whose first group gets `share` of its units. */
const least = (seed: number, share: number, hours: number, units: number): number => {
  const random = seeded(seed)
  const observed: [number, number] = [0, 0]
  let smallest = 1
  for (let hour = 0; hour < hours; hour++) {
    const first = binomial(random, units, share)
    observed[0] += first
    observed[1] += units - first
    smallest = Math.min(smallest, sequentialPValue([{ observed, weights: [50, 50] }]))
  }
  return smallest
}

describe("the sequential p-value of a sample ratio", () => {
  it("falls to alpha in at most that part of experiments, looked at every hour of two weeks", () => {
    const tried = runCount(300)
    const falls = Array.from({ length: tried }, (_, seed) => least(seed + 1, 0.5, 336, 60)).filter((p) => p <= 0.05)
    expect(falls.length).toBeLessThanOrEqual(tried * 0.05 + 1)
  })

  it("finds a mismatch of 48 to 52", () => {
    for (let seed = 1; seed <= runCount(10); seed++) expect(least(seed, 0.48, 400, 100)).toBeLessThan(0.001)
  })

  it("knows nothing without units, and leaves out groups without weight", () => {
    expect(sequentialPValue([{ observed: [0, 0], weights: [1, 1] }])).toBe(1)
    expect(sequentialPValue([{ observed: [5_000, 5_000, 9_999], weights: [1, 1, 0] }])).toBe(1)
  })

  it("is the product of phases with weights of their own", () => {
    const phases = [
      { observed: [900, 100], weights: [90, 10] },
      { observed: [5_000, 5_000], weights: [50, 50] }
    ]
    expect(sequentialPValue(phases)).toBe(1)
    expect(sequentialPValue([{ observed: [5_900, 5_100], weights: [50, 50] }])).toBeLessThan(1e-6)
  })

  it("equals the ratio of the Dirichlet-multinomial to the multinomial likelihood for one unit", () => {
    expect(sequentialPValue([{ observed: [1, 0], weights: [3, 1] }])).toBeCloseTo(1, 12)
    // Two units in one group: (prior (prior + 1)) / (total (total + 1)) over the squared share.
    const ratio = (2_500 * 2_501) / (5_000 * 5_001) / 0.25
    expect(sequentialPValue([{ observed: [2, 0], weights: [1, 1] }])).toBeCloseTo(1 / ratio, 10)
  })
})
