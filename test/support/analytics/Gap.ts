/** Null when two numbers agree to a relative tolerance (and always within 1e-12); else both, for the message of an assertion. */
export const gap = (actual: number, expected: number, tolerance = 1e-6): string | null => {
  const distance = Math.abs(actual - expected)
  const agrees = Object.is(actual, expected) || distance <= Math.max(1e-12, tolerance * Math.abs(expected))
  return agrees ? null : `${actual} instead of ${expected}`
}
