/**
 * The remainder of Stirling's formula for ln Gamma(x), x >= 10 (DLMF 5.11.1, six Bernoulli terms; error below 1e-17).
 */
export const stirlingRemainder = (x: number): number => {
  const s = 1 / (x * x)
  return (1 / 12 - s * (1 / 360 - s * (1 / 1260 - s * (1 / 1680 - s * (1 / 1188 - (s * 691) / 360_360))))) / x
}

/** ln Gamma(x) for x > 0: by recurrence up to 10, then Stirling's formula (DLMF 5.5.1, 5.11.1). */
export const logGamma = (x: number): number => {
  let product = 1
  let shifted = x
  for (; shifted < 10; shifted++) product *= shifted
  const stirling = (shifted - 0.5) * Math.log(shifted) - shifted + Math.log(2 * Math.PI) / 2
  return stirling + stirlingRemainder(shifted) - Math.log(product)
}

const lowerBySeries = (a: number, x: number): number => {
  let term = 1 / a
  let sum = term
  for (let k = 1; term > sum * Number.EPSILON; k++) {
    term *= x / (a + k)
    sum += term
  }
  return sum * Math.exp(a * Math.log(x) - x - logGamma(a))
}

const upperByFraction = (a: number, x: number): number => {
  let b = x + 1 - a
  let c = Infinity
  let d = 1 / b
  let fraction = d
  for (let k = 1; k < 10_000; k++) {
    const numerator = -k * (k - a)
    b += 2
    d = 1 / (numerator * d + b)
    c = b + numerator / c
    fraction *= c * d
    if (Math.abs(c * d - 1) < Number.EPSILON) break
  }
  return fraction * Math.exp(a * Math.log(x) - x - logGamma(a))
}

/**
 * The regularized lower incomplete gamma function P(a, x) for a > 0, x >= 0, in [0, 1]: series DLMF 8.11.4, or 1 - Q.
 */
export const lowerGamma = (a: number, x: number): number =>
  x <= 0 ? 0 : x < a + 1 ? lowerBySeries(a, x) : 1 - upperByFraction(a, x)

/**
 * The regularized upper incomplete gamma function Q(a, x) for a > 0, x >= 0, in [0, 1]. The continued fraction DLMF
 * 8.9.2 avoids cancellation in the tail.
 */
export const upperGamma = (a: number, x: number): number =>
  x <= 0 ? 1 : x < a + 1 ? 1 - lowerBySeries(a, x) : upperByFraction(a, x)
