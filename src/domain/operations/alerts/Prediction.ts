import { upperQuantile } from "../../experiments/statistics/StudentT.ts"
import { mostSlots, PastWindows, type CountedWindow } from "./PastWindows.ts"
import { trendOf } from "./Trend.ts"

/**
 * What a window is expected to show, from the same hours (or days) of past weeks: the method of Farrington et al., "A statistical algorithm
 * for the early detection of outbreaks of infectious disease", J. R. Statist. Soc. A 159 (1996) 547-563, with the limits on the scale of
 * the power 2/3 (§3.6 there), the weights of Noufaily et al., Statistics in Medicine 32 (2013) 1206-1222, against outliers among past
 * weeks, and the same season instead of a regression.
 */

/**
 * How a number varies: `count` at least as Poisson's distribution has it, `share` as a part of its `of`, `amount` only as the past shows.
 */
export type Variation = "count" | "share" | "amount"

export interface Prediction {
  /** The count that is expected. */
  readonly expected: number
  /** The interval in which the count lies, but for `level` on each side. */
  readonly low: number
  readonly high: number
}

/** Beyond this many standard deviations a residual says less (Noufaily et al.). */
const outlying = 2.58
/** The mean of min(z^2, 2.58^2) for a standard normal z. */
const remaining = 0.98205
const rounds = 8
/** The part of the level that is used: what is estimated, above all how much windows vary, takes the rest. */
const estimated = 0.75

/** What windows differ by from the others of their slot. */
interface Residuals {
  readonly length: number
  readonly slots: number
  /** The squares of the differences. */
  readonly squares: Float64Array
  /** What was expected of each. */
  readonly means: Float64Array
  /** By what the variance grows because the others are no certain measure. */
  readonly factors: Float64Array
  /** Sums over all windows. */
  readonly count: number
  readonly of: number
}

const residualsOf = ({ counts, ofs, known, weeks }: PastWindows): Residuals => {
  const [squares, means, factors] = [counts, counts, counts].map(({ length }) => new Float64Array(length))
  const all = { length: 0, slots: 0, count: 0, of: 0 }
  for (let slot = 0; slot < mostSlots; slot++) {
    const from = slot * weeks
    const to = from + known[slot]!
    let count = 0
    let of = 0
    for (let index = from; index < to; index++) {
      count += counts[index]!
      of += ofs[index]!
    }
    all.count += count
    all.of += of
    if (to > from) all.slots++
    for (let index = from; index < to; index++) {
      const others = of - ofs[index]!
      const mean = others > 0 ? ((count - counts[index]!) * ofs[index]!) / others : 0
      if (mean <= 0) continue
      squares![all.length] = (counts[index]! - mean) ** 2
      means![all.length] = mean
      factors![all.length] = 1 + ofs[index]! / others
      all.length++
    }
  }
  return { ...all, squares: squares!, means: means!, factors: factors! }
}

interface Spread {
  /** Variance of a count as a multiple of its mean. */
  readonly dispersion: number
  /** Variance of a count as a multiple of its mean squared, beyond what `least` explains. */
  readonly relative: number
  readonly least: number
  readonly degrees: number
}

/** The mean of ratios, those that lie far off cut to 2.58 standard deviations. */
const robustMean = (ratios: Float64Array): number => {
  let mean = ratios.reduce((sum, each) => sum + each, 0) / ratios.length
  for (let round = 0; round < rounds; round++) {
    const most = outlying ** 2 * mean
    let sum = 0
    for (let index = 0; index < ratios.length; index++) sum += Math.min(ratios[index]!, most)
    mean = sum / ratios.length / remaining
  }
  return mean
}

const leastOf = (variation: Variation, share: number): number =>
  variation === "count" ? 1 : variation === "share" ? Math.max(0, 1 - share) : 0

/**
 * How much windows vary around the others of their slot. Two models hold at once: the variance grows with the mean, as that of counts of
 * players who come by chance, or with its square, as where whole hours and weeks are better or worse. None below two windows a slot.
 */
const spreadOf = (past: PastWindows, variation: Variation): Spread | null => {
  const { length, slots, squares, means, factors, count, of } = residualsOf(past)
  if (length < 2) return null
  const ratios = new Float64Array(length)
  for (let index = 0; index < length; index++) ratios[index] = squares[index]! / (means[index]! * factors[index]!)
  const isAmount = variation === "amount"
  const seen = isAmount ? ratios.reduce((sum, each) => sum + each, 0) / length : robustMean(ratios)
  const least = leastOf(variation, count / of)
  const most = isAmount ? Infinity : outlying ** 2 * Math.max(seen, least)
  let above = 0
  let whole = 0
  for (let index = 0; index < length; index++) {
    const variance = means[index]! * factors[index]!
    above += Math.min(squares[index]!, most * variance) - least * variance
    whole += means[index]! * variance
  }
  return {
    dispersion: Math.max(seen, least),
    relative: Math.max(0, above / whole),
    least,
    degrees: Math.max(1, length - slots)
  }
}

const varianceOf = ({ dispersion, relative, least }: Spread, mean: number): number =>
  Math.max(dispersion * mean, least * mean + relative * mean ** 2)

const medianOf = (values: Float64Array): number => {
  const sorted = values.toSorted()
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2
}

/** The mean of a slot's rates, by which a week that lies far off, such as one with an outage, counts little. */
const baseline = (past: PastWindows, slot: number, spread: Spread): { readonly rate: number; readonly of: number } => {
  const { counts, ofs } = past.slot(slot)
  const median = medianOf(counts.map((count, index) => count / ofs[index]!))
  let [count, of] = [0, 0]
  for (const [index, each] of ofs.entries()) {
    const deviation = Math.sqrt(varianceOf(spread, median * each) * (1 + 1 / ofs.length))
    const distance = Math.abs(counts[index]! - median * each) / deviation
    const weight = distance > outlying ? (outlying / distance) ** 2 : 1
    count += counts[index]! * weight
    of += each * weight
  }
  return { rate: count / of, of }
}

/**
 * What window `index` of consecutive windows is expected to count, from the `weeks` >= 2 windows of its slot before it, oldest first;
 * null stands for a window of which nothing is known. `level` in (0, 0.5) is the chance that a count of a quiet week lies below the
 * interval, and that it lies above it. Null where more than one of the windows is not known (a change of the clock leaves one out), or one of
 * only two weeks, and where they counted nothing.
 */
export const predict = (
  windows: ReadonlyArray<CountedWindow | null>,
  index: number,
  { weeks, level, variation }: { readonly weeks: number; readonly level: number; readonly variation: Variation }
): Prediction | null => {
  const current = windows[index]
  if (current === null || current === undefined || current.of <= 0) return null
  const past = new PastWindows(windows, index, weeks)
  const trend = trendOf(past.weekly())
  past.raise(trend.growth)
  const spread = spreadOf(past, variation)
  if (spread === null || past.known[current.slot]! < Math.max(2, weeks - 1)) return null
  const { rate, of } = baseline(past, current.slot, spread)
  const expected = rate * current.of
  if (!(expected > 0)) return null
  const variance = varianceOf(spread, expected) * (1 + current.of / of) + trend.variance * expected ** 2
  const deviation = Math.sqrt(variance) / expected
  const reach = (2 / 3) * upperQuantile(level * estimated, spread.degrees) * deviation
  return {
    expected,
    low: expected * Math.max(0, 1 - reach) ** 1.5,
    high: expected * (1 + reach) ** 1.5
  }
}
