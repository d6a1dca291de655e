/**
 * The double nearest to the exact sum, so that no order or partition of the values can change it (Shewchuk 1997, "Adaptive
 * precision floating-point arithmetic", as in Python's math.fsum). NaN when the sum passes the range of a double.
 */
export const exactSum = (values: ReadonlyArray<number> | Float64Array): number => {
  const sum = sumInRange(values)
  return Number.isFinite(sum) ? sum : sumOfLarge(values)
}

/**
 * Adds a number to the sum that the first `count` of `partials` are, without rounding, and answers how many these are then. Numbers after them
 * are of no meaning: to shorten the list each time would take longer than the rest.
 */
const addTo = (partials: Array<number>, count: number, added: number): number => {
  let value = added
  let kept = 0
  for (let i = 0; i < count; i++) {
    const partial = partials[i]!
    const high = value + partial
    const low = Math.abs(value) < Math.abs(partial) ? value - (high - partial) : partial - (high - value)
    if (low !== 0) partials[kept++] = low
    value = high
  }
  partials[kept] = value
  return kept + 1
}

/**
 * A sum to which numbers are added one by one; to take a number away again, its negative is added. The value is the double nearest to the
 * exact sum of all of them, as `exactSum` gives it. It is not finite any more once the sum of some of them has passed the range of a double.
 */
export class MovingSum {
  private readonly partials: Array<number> = []
  private count = 0

  add(added: number): void {
    this.count = addTo(this.partials, this.count, added)
  }

  get value(): number {
    return round(this.partials, this.count)
  }
}

/** As `exactSum`, but not finite if the sum of some of the values passes the range, whatever the others make of it. */
const sumInRange = (values: ReadonlyArray<number> | Float64Array): number => {
  const partials: Array<number> = []
  let count = 0
  for (let i = 0; i < values.length; i++) count = addTo(partials, count, values[i]!)
  return round(partials, count)
}

const round = (partials: ReadonlyArray<number>, count: number): number => {
  let at = count - 1
  if (at < 0) return 0
  let high = partials[at]!
  let low = 0
  while (at > 0 && low === 0) {
    const before = high
    const partial = partials[--at]!
    high = before + partial
    low = partial - (high - before)
  }
  const next = at > 0 ? partials[at - 1]! : 0
  // Of tiny numbers the product would be zero.
  if ((low < 0 && next < 0) || (low > 0 && next > 0)) {
    const doubled = low * 2
    const moved = high + doubled
    if (moved - high === doubled) return moved
  }
  return high
}

const mantissaBits = 52n
const ones = (bits: bigint): bigint => (1n << bits) - 1n

/** The exponent of the finest bit that a double has. */
const finest = -1074

/** A finite double as a multiple of 2^-1074. */
const multipleOf = (value: number): bigint => {
  const bits = new BigUint64Array(Float64Array.of(value).buffer)[0] ?? 0n
  const exponent = (bits >> mantissaBits) & ones(11n)
  const mantissa = bits & ones(mantissaBits)
  // Subnormal doubles and zero have the exponent of the least normal one.
  const size = exponent === 0n ? mantissa : (mantissa | (1n << mantissaBits)) << (exponent - 1n)
  return value < 0 ? -size : size
}

/** The double nearest to `sum` · 2^`exponent`, ties to even; infinite beyond the range of a double. */
export const nearestDouble = (sum: bigint, exponent: number): number => {
  if (sum === 0n) return 0
  let mantissa = sum < 0n ? -sum : sum
  let scale = exponent
  const extra = Math.max(mantissa.toString(2).length - Number(mantissaBits) - 1, finest - exponent)
  if (extra > 0) {
    const low = mantissa & ones(BigInt(extra))
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

/** The sum by whole numbers: slow, and of any size on the way. */
const sumOfLarge = (values: ReadonlyArray<number> | Float64Array): number => {
  let multiples = 0n
  for (const value of values) {
    if (!Number.isFinite(value)) return Number.NaN
    multiples += multipleOf(value)
  }
  const sum = nearestDouble(multiples, finest)
  return Number.isFinite(sum) ? sum : Number.NaN
}
