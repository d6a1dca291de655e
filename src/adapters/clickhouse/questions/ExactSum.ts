/** The mantissas of doubles summed up as whole numbers, one sum for each exponent: the sum of any doubles, to the last bit. */
export type SumParts = readonly [exponents: ReadonlyArray<number>, mantissas: ReadonlyArray<string>]

const mantissaBits = 52
const ones = (bits: number): bigint => (1n << BigInt(bits)) - 1n

/** The expression of the parts; `value` is a nullable double. The sums leave as texts, since numbers of JSON would round them. */
export const sumPartsOf = (value: string): string => {
  const bits = `reinterpretAsUInt64(assumeNotNull(${value}))`
  const exponent = `bitAnd(bitShiftRight(${bits}, ${mantissaBits}), 2047)`
  const mantissa = `toInt128(bitAnd(${bits}, ${ones(mantissaBits)}) + if(${exponent} = 0, 0, ${1n << 52n}))`
  const signed = `${mantissa} * if(bitShiftRight(${bits}, 63) = 1, -1, 1)`
  const sum = `sumMapIf([toInt16(${exponent})], [${signed}], isNotNull(${value}))`
  return `(${sum}.1, arrayMap(part -> toString(part), ${sum}.2))`
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

/** The sum that the parts stand for, rounded once. */
export const sumOfParts = ([exponents, mantissas]: SumParts): number => {
  // Subnormal doubles and zero have the exponent of the least normal one.
  const raised = exponents.map((exponent) => Math.max(1, exponent))
  const least = raised.reduce((min, exponent) => Math.min(min, exponent), 2047)
  const sum = raised.reduce(
    (total, exponent, at) => total + (BigInt(mantissas[at] ?? "0") << BigInt(exponent - least)),
    0n
  )
  return rounded(sum, least - 1075)
}
