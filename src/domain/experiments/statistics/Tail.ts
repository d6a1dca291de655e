/** An upper tail probability P(X > x), which decreases in x, with the density of X. */
export interface Tail {
  readonly probability: (x: number) => number
  readonly density: (x: number) => number
}

/**
 * The x >= 0 with P(X > x) = p, by Newton's method on the logarithm of the tail, kept within a bracket by bisection.
 */
export const solve = (tail: Tail, p: number, guess: number): number => {
  let low = 0
  let high = Infinity
  let x = guess
  for (let k = 0; k < 1_000; k++) {
    const probability = tail.probability(x)
    if (probability === p) return x
    if (probability > p) low = x
    else high = x
    const step = (probability / tail.density(x)) * Math.log(probability / p)
    const newton = x + step
    const middle = high === Infinity ? 2 * x + 1 : (low + high) / 2
    const next = newton > low && newton < high ? newton : middle
    if (Math.abs(next - x) <= 2 * Number.EPSILON * x || next === low || next === high) return next
    x = next
  }
  return x
}
