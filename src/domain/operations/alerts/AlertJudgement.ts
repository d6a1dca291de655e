import { upperQuantile } from "../../experiments/statistics/Normal.ts"
import type { CountedWindow } from "./PastWindows.ts"
import { predict, type Prediction, type Variation } from "./Prediction.ts"

export type Direction = "drop" | "rise" | "either"

/** A change against the same hours, or days, of past weeks. */
export interface ChangeCondition {
  readonly kind: "change"
  readonly direction: Direction
  /** The least change that is told, in percent of what is expected. */
  readonly percent: number
  /** Past weeks that are compared, 2 to 8. */
  readonly weeks: number
  /** Windows of which less is expected are not judged: of a count itself, for a share of the units that it is a share of. */
  readonly minimumSample: number
  /** The alert is false once in so many weeks at most, on average, where nothing has changed. */
  readonly falseOnceInWeeks: number
}

/** A value that leaves what is allowed; of a share the whole interval has to. */
export interface ThresholdCondition {
  readonly kind: "threshold"
  readonly above: number | null
  readonly below: number | null
  /** Shares of fewer units are not judged. */
  readonly minimumSample: number
  /** For a share: the alert is false once in so many weeks at most, on average, where the threshold is kept. */
  readonly falseOnceInWeeks: number
}

export type AlertCondition = ChangeCondition | ThresholdCondition

export type WindowStep = "hour" | "day"

/** What a window showed; null in `windows` where nothing was measured. */
export interface Measured {
  readonly windows: ReadonlyArray<CountedWindow | null>
  readonly step: WindowStep
  readonly variation: Variation
}

/**
 * What came of looking at a window: what it showed, and the interval of what is expected; of a threshold the interval of what it showed.
 * Values are shares of `of` where the variation is one.
 */
export interface Look {
  /** "unclear": too little is known to say. */
  readonly verdict: "fine" | "fired" | "unclear"
  readonly value: number | null
  readonly expected: number | null
  readonly low: number | null
  readonly high: number | null
  readonly of: number | null
}

/** Looks at windows in a week. */
export const looksAWeek = { hour: 168, day: 7 } as const

/**
 * The chance of a false alarm that one look may have on each side, so that a week of them has no more than asked for: whatever one look has
 * to do with the next, their chances add up to it at most (Boole's inequality).
 */
const levelOf = (condition: AlertCondition, step: WindowStep): number => {
  const sides = condition.kind === "change" && condition.direction !== "either" ? 1 : 2
  return 1 / (condition.falseOnceInWeeks * looksAWeek[step]) / sides
}

const nothing = { expected: null, low: null, high: null }

const isChange = ({ direction, percent }: ChangeCondition, count: number, { expected, low, high }: Prediction) =>
  (direction !== "rise" && count < low && count <= expected * (1 - percent / 100)) ||
  (direction !== "drop" && count > high && count >= expected * (1 + percent / 100))

const changed = (
  condition: ChangeCondition,
  { windows, step, variation }: Measured,
  index: number,
  { count, of }: CountedWindow
): Look => {
  const level = levelOf(condition, step)
  const found = predict(windows, index, { weeks: condition.weeks, level, variation })
  if (found === null) return { verdict: "unclear", value: count / of, of, ...nothing }
  const sample = variation === "share" ? of : variation === "count" ? found.expected : Infinity
  const told = {
    value: count / of,
    of,
    expected: found.expected / of,
    low: found.low / of,
    high: variation === "share" ? Math.min(1, found.high / of) : found.high / of
  }
  if (sample < condition.minimumSample) return { verdict: "unclear", ...told }
  return { verdict: isChange(condition, count, found) ? "fired" : "fine", ...told }
}

/** The interval of a share (Wilson, J. Am. Statist. Assoc. 22 (1927) 209-212); `level` is the chance on each side. */
export const shareInterval = (share: number, of: number, level: number): readonly [number, number] => {
  const z = upperQuantile(level)
  const middle = share + z ** 2 / (2 * of)
  const reach = z * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2))
  const scale = 1 + z ** 2 / of
  // At both ends rounding would pass it.
  return [Math.max(0, (middle - reach) / scale), Math.min(1, (middle + reach) / scale)]
}

const passed = (condition: ThresholdCondition, { step, variation }: Measured, { count, of }: CountedWindow): Look => {
  const { above, below, minimumSample } = condition
  const value = count / of
  const [low, high] = variation === "share" ? shareInterval(value, of, levelOf(condition, step)) : [value, value]
  const isBeyond = (above !== null && low > above) || (below !== null && high < below)
  const isTooFew = variation === "share" && of < minimumSample
  return {
    verdict: isTooFew ? "unclear" : isBeyond ? "fired" : "fine",
    value,
    of,
    expected: null,
    low,
    high
  }
}

/** Judges window `index` of consecutive windows, oldest first, by those before it. */
export const look = (condition: AlertCondition, measured: Measured, index: number): Look => {
  const window = measured.windows[index]
  if (window === null || window === undefined || window.of <= 0)
    return { verdict: "unclear", value: null, of: window?.of ?? null, ...nothing }
  return condition.kind === "change" ? changed(condition, measured, index, window) : passed(condition, measured, window)
}
