import { logGamma, lowerGamma, upperGamma } from "./Gamma.ts"
import * as Normal from "./Normal.ts"
import { solve } from "./Tail.ts"

/** The density at x > 0 of the chi-square distribution with `degrees` > 0 degrees of freedom. */
export const density = (x: number, degrees: number): number =>
  Math.exp((degrees / 2 - 1) * Math.log(x / 2) - x / 2 - logGamma(degrees / 2)) / 2

/** P(X > x) = Q(degrees / 2, x / 2) (Abramowitz and Stegun 26.4.19); 1 without degrees of freedom. */
export const tail = (x: number, degrees: number): number => (degrees <= 0 ? 1 : upperGamma(degrees / 2, x / 2))

/** P(X <= x). */
export const cdf = (x: number, degrees: number): number => (degrees <= 0 ? 0 : lowerGamma(degrees / 2, x / 2))

/**
 * The x with P(X <= x) = p, for 0 < p < 1. Starts at Wilson and Hilferty's approximation (Abramowitz and Stegun
 * 26.4.17) and refines it to full precision.
 */
export const quantile = (p: number, degrees: number): number => {
  if (p <= 0) return 0
  if (p >= 1) return Infinity
  const spread = 2 / (9 * degrees)
  const start = degrees * Math.max(1 - spread + Normal.quantile(p) * Math.sqrt(spread), 0.01) ** 3
  const shape = { probability: (x: number) => tail(x, degrees), density: (x: number) => density(x, degrees) }
  return solve(shape, 1 - p, start)
}
