/**
 * The mantissas of doubles summed up as whole numbers for each exponent, their lower and their upper half apart: the sum of any doubles, to
 * the last bit.
 */
export type SumParts = readonly [low: ExponentSums, high: ExponentSums]

/** Exponents, and a sum for each as a text, since numbers of JSON would round it. Exponents with the sum 0 may be left out. */
type ExponentSums = readonly [exponents: ReadonlyArray<number>, sums: ReadonlyArray<string>]

const mantissaBits = 52
const halfBits = 26
const ones = (bits: number): bigint => (1n << BigInt(bits)) - 1n

/** The expression of the parts; `value` is a nullable double. */
export const sumPartsOf = (value: string): string => {
  const bits = `reinterpretAsUInt64(ifNull(${value}, 0.))`
  const exponent = `bitAnd(bitShiftRight(${bits}, ${mantissaBits}), 2047)`
  const mantissa = `bitOr(bitAnd(${bits}, ${ones(mantissaBits)}), if(${exponent} = 0, toUInt64(0), toUInt64(${1n << 52n})))`
  const sign = `if(bitShiftRight(${bits}, 63) = 1, -1, 1)`
  const sums = (half: string): string => {
    const sum = `sumMap([toInt32(${exponent})], [toInt64(${half}) * ${sign}])`
    return `(${sum}.1, arrayMap(part -> toString(part), ${sum}.2))`
  }
  return `(${sums(`bitAnd(${mantissa}, ${ones(halfBits)})`)}, ${sums(`bitShiftRight(${mantissa}, ${halfBits})`)})`
}

/** The double nearest to `sum` · 2^`exponent`; infinite beyond the range of a double. */
const rounded = (sum: bigint, exponent: number): number => {
  if (sum === 0n) return 0
  let mantissa = sum < 0n ? -sum : sum
  let scale = exponent
  // No double has a bit below 2^-1074.
  const extra = Math.max(mantissa.toString(2).length - mantissaBits - 1, -1074 - exponent)
  if (extra > 0) {
    const low = mantissa & ones(extra)
    const half = 1n << BigInt(extra - 1)
    mantissa >>= BigInt(extra)
    scale += extra
    if (low > half || (low === half && (mantissa & 1n) === 1n)) mantissa += 1n
  }
  let value = Number(mantissa)
  for (; scale > 900; scale -= 900) value *= 2 ** 900
  for (; scale < -900; scale += 900) value *= 2 ** -900
  return (sum < 0n ? -1 : 1) * value * 2 ** scale
}

const least = (exponents: ReadonlyArray<number>): number =>
  exponents.reduce((min, exponent) => Math.min(min, exponent), 2047)

/** The sum that the parts stand for, rounded once. */
export const sumOfParts = ([low, high]: SumParts): number => {
  // Subnormal doubles and zero have the exponent of the least normal one.
  const raised = (exponents: ReadonlyArray<number>) => exponents.map((exponent) => Math.max(1, exponent))
  const origin = least(raised([...low[0], ...high[0]]))
  const total = ([exponents, sums]: ExponentSums): bigint =>
    raised(exponents).reduce((sum, exponent, at) => sum + (BigInt(sums[at] ?? "0") << BigInt(exponent - origin)), 0n)
  return rounded(total(low) + (total(high) << BigInt(halfBits)), origin - 1075)
}
