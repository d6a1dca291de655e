import { logGamma } from "../../src/domain/experiments/statistics/Gamma.ts"

/** A repeatable source of chance for simulations: mulberry32, uniform in [0, 1). */
export const seeded = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** How many of `trials` succeed. */
export const binomial = (random: () => number, trials: number, chance: number): number => {
  let successes = 0
  for (let trial = 0; trial < trials; trial++) if (random() < chance) successes++
  return successes
}

/** A standard normal number (Box and Muller). */
export const gaussian = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** A number of Poisson's distribution with a mean of at least 10 (Hörmann's PTRS, Insurance: Mathematics and Economics 12 (1993) 39-45). */
export const poisson = (random: () => number, mean: number): number => {
  const b = 0.931 + 2.53 * Math.sqrt(mean)
  const a = -0.059 + 0.02483 * b
  const inverseAlpha = 1.1239 + 1.1328 / (b - 3.4)
  const sure = 0.9277 - 3.6224 / (b - 2)
  for (;;) {
    const u = random() - 0.5
    const v = random()
    const us = 0.5 - Math.abs(u)
    const k = Math.floor(((2 * a) / us + b) * u + mean + 0.43)
    if (us >= 0.07 && v <= sure) return k
    if (k < 0 || (us < 0.013 && v > us)) continue
    const density = -mean + k * Math.log(mean) - logGamma(k + 1)
    if (Math.log(v * inverseAlpha) - Math.log(a / (us * us) + b) <= density) return k
  }
}

/** A number of the gamma distribution with mean 1 and variance 1 / `shape`, for a shape of at least 1 (Marsaglia and Tsang). */
export const gammaAround1 = (random: () => number, shape: number): number => {
  const d = shape - 1 / 3
  const c = 1 / Math.sqrt(9 * d)
  for (;;) {
    const x = gaussian(random)
    const v = (1 + c * x) ** 3
    if (v > 0 && Math.log(random()) < 0.5 * x ** 2 + d - d * v + d * Math.log(v)) return (d * v) / shape
  }
}
