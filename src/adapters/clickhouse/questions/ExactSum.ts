import { nearestDouble } from "../../../domain/analytics/insight/Sum.ts"
import { doubleLiteral } from "./Paths.ts"

/**
 * The sum of any doubles, to the last bit, as whole numbers. Those of a usual size are multiples of one power of two that are summed up at
 * once. Of the others the mantissas are summed up for each exponent, their lower and their upper half apart. Sums are texts, since numbers
 * of JSON would round them; exponents with the sum 0 may be left out.
 */
export type SumParts = readonly [
  usual: string,
  exponents: ReadonlyArray<number>,
  low: ReadonlyArray<string>,
  high: ReadonlyArray<string>
]

/**
 * The exponents, as a double has them, of doubles of a usual size: 2^-20 up to 2^20, which are whole multiples of 2^-72 and below 2^92
 * times that, so that 2^35 of them fit into 128 bits.
 */
const [leastUsual, mostUsual] = [1003, 1042] as const

const mantissaBits = 52
const halfBits = 26
const ones = (bits: number): bigint => (1n << BigInt(bits)) - 1n

/** By this a double of a usual size becomes a whole number. */
const usualMultiples = 2 ** 72

/** The expression of the parts; `value` is a nullable double. */
export const sumPartsOf = (value: string): string => {
  const double = `ifNull(${value}, 0.)`
  const bits = `reinterpretAsUInt64(${double})`
  const exponent = `bitAnd(bitShiftRight(${bits}, ${mantissaBits}), 2047)`
  const mantissa = `bitOr(bitAnd(${bits}, ${ones(mantissaBits)}), if(${exponent} = 0, toUInt64(0), toUInt64(${1n << 52n})))`
  const sign = `if(bitShiftRight(${bits}, 63) = 1, -1, 1)`
  const half = (expression: string): string => `[toInt64(${expression}) * ${sign}]`
  const [low, high] = [half(`bitAnd(${mantissa}, ${ones(halfBits)})`), half(`bitShiftRight(${mantissa}, ${halfBits})`)]
  const isUsual = `${exponent} between ${leastUsual} and ${mostUsual}`
  const usual = `sum(if(${isUsual}, toInt128(${double} * ${doubleLiteral(usualMultiples)}), toInt128(0)))`
  const others = `sumMapIf([toInt32(${exponent})], ${low}, ${high}, ${double} != 0 and not (${isUsual}))`
  // Each part has one name, because every part of a statement takes ClickHouse time before it begins.
  return `tupleConcat(tuple(toString(${usual})), ${others}::Tuple(Array(Int32), Array(String), Array(String)))`
}

const least = (exponents: ReadonlyArray<number>): number =>
  exponents.reduce((min, exponent) => Math.min(min, exponent), 2047)

/** The sum that the parts stand for, rounded once. */
export const sumOfParts = ([usual, exponents, low, high]: SumParts): number => {
  // Subnormal doubles and zero have the exponent of the least normal one.
  const raised = exponents.map((exponent) => Math.max(1, exponent))
  const origin = least([...raised, leastUsual])
  const total = (sums: ReadonlyArray<string>): bigint =>
    raised.reduce((sum, exponent, at) => sum + (BigInt(sums[at] ?? "0") << BigInt(exponent - origin)), 0n)
  const ofUsual = BigInt(usual) << BigInt(leastUsual - origin)
  return nearestDouble(ofUsual + total(low) + (total(high) << BigInt(halfBits)), origin - 1075)
}
