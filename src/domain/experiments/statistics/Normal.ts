import { lowerGamma, upperGamma } from "./Gamma.ts"
import { solve } from "./Tail.ts"

/** The density of the standard normal distribution. */
export const density = (x: number): number => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)

/** P(Z > x), accurate in the far tail: Q(1/2, x^2 / 2) / 2 (DLMF 7.11.2). */
export const tail = (x: number): number => {
  const half = (x * x) / 2
  return x >= 0 ? upperGamma(0.5, half) / 2 : (1 + lowerGamma(0.5, half)) / 2
}

/** P(Z <= x). */
export const cdf = (x: number): number => tail(-x)

const startingPoint = (p: number): number => {
  const t = Math.sqrt(-2 * Math.log(p))
  const numerator = 2.515517 + t * (0.802853 + t * 0.010328)
  return t - numerator / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)))
}

/** The x with P(Z > x) = p, for 0 < p < 1. Starts at Abramowitz and Stegun 26.2.23 and refines it to full precision. */
export const upperQuantile = (p: number): number => {
  if (p > 0.5) return -upperQuantile(1 - p)
  if (p === 0.5) return 0
  return p <= 0 ? Infinity : solve({ probability: tail, density }, p, Math.max(startingPoint(p), 0))
}

/** The x with P(Z <= x) = p, for 0 < p < 1; infinite at the ends. */
export const quantile = (p: number): number => -upperQuantile(p)
