import { logGamma, stirlingRemainder } from "./Gamma.ts"

/**
 * ln B(a, b) for a, b > 0. For large arguments, Stirling's formulas are subtracted term by term, which avoids
 * cancellation.
 */
export const logBeta = (a: number, b: number): number => {
  const large = Math.max(a, b)
  const small = Math.min(a, b)
  if (large < 10) return logGamma(a) + logGamma(b) - logGamma(a + b)
  const ratio = small - (large - 0.5) * Math.log1p(small / large) - small * Math.log(large + small)
  return logGamma(small) + ratio + stirlingRemainder(large) - stirlingRemainder(large + small)
}

const coefficient = (k: number, a: number, b: number, x: number): number => {
  const m = Math.floor(k / 2)
  return k % 2 === 0
    ? (m * (b - m) * x) / ((a + k - 1) * (a + k))
    : (-(a + m) * (a + b + m) * x) / ((a + k - 1) * (a + k))
}

const byFraction = (a: number, b: number, x: number, y: number): number => {
  let c = 1
  let d = 0
  let fraction = 1
  for (let k = 1; k < 100_000; k++) {
    const numerator = coefficient(k, a, b, x)
    d = 1 / (1 + numerator * d)
    c = 1 + numerator / c
    fraction *= c * d
    if (Math.abs(c * d - 1) < Number.EPSILON) break
  }
  const logX = x < 0.5 ? Math.log(x) : Math.log1p(-y)
  const logY = y < 0.5 ? Math.log(y) : Math.log1p(-x)
  return Math.exp(a * logX + b * logY - logBeta(a, b)) / (a * fraction)
}

/**
 * The regularized incomplete beta function I_x(a, b) for a, b > 0, in [0, 1]. It takes y = 1 - x as well as x, so that
 * no digits are lost at either end. Continued fraction DLMF 8.17.22 by Lentz's method; symmetry 8.17.4 where that
 * converges slowly.
 */
export const incompleteBeta = (a: number, b: number, x: number, y: number): number => {
  if (x <= 0) return 0
  if (y <= 0) return 1
  return x < (a + 1) / (a + b + 2) ? byFraction(a, b, x, y) : 1 - byFraction(b, a, y, x)
}
