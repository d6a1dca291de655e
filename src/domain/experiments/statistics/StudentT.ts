import { incompleteBeta, logBeta } from "./Beta.ts"
import * as Normal from "./Normal.ts"
import { solve } from "./Tail.ts"

/** Above this many degrees of freedom the normal distribution agrees to within 1e-7 relative. */
const normalFrom = 1e9

/** The density of Student's t with `degrees` > 0 degrees of freedom, which need not be whole. */
export const density = (x: number, degrees: number): number =>
  degrees >= normalFrom
    ? Normal.density(x)
    : Math.exp((-(degrees + 1) / 2) * Math.log1p((x * x) / degrees) - logBeta(degrees / 2, 0.5)) / Math.sqrt(degrees)

/**
 * P(T > x), accurate in the far tail: I(degrees / 2, 1 / 2) at degrees / (degrees + x^2), halved (DLMF 8.17; Abramowitz
 * and Stegun 26.7.1).
 */
export const tail = (x: number, degrees: number): number => {
  if (degrees >= normalFrom) return Normal.tail(x)
  const square = x * x
  const both = incompleteBeta(degrees / 2, 0.5, degrees / (degrees + square), square / (degrees + square))
  return x >= 0 ? both / 2 : 1 - both / 2
}

/** P(T <= x). */
export const cdf = (x: number, degrees: number): number => tail(-x, degrees)

/** The x with P(T > x) = p, for 0 < p < 1, solved to full precision from the normal quantile. */
export const upperQuantile = (p: number, degrees: number): number => {
  if (p > 0.5) return -upperQuantile(1 - p, degrees)
  if (p === 0.5) return 0
  if (p <= 0) return Infinity
  const shape = { probability: (x: number) => tail(x, degrees), density: (x: number) => density(x, degrees) }
  return solve(shape, p, Normal.upperQuantile(p))
}

/** The x with P(T <= x) = p, for 0 < p < 1; infinite at the ends. */
export const quantile = (p: number, degrees: number): number => -upperQuantile(p, degrees)
