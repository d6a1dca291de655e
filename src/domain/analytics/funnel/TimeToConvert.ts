import { percentileOf } from "../insight/Percentile.ts"

/** Between which steps (from 0) the times of units are told, and in how many bins. */
export interface TimeToConvertPlan {
  readonly fromStep: number
  readonly toStep: number
  readonly bins: number
}

/** From `fromSeconds` up to `toSeconds`, which only the last bin includes. */
export interface TimeBin {
  readonly fromSeconds: number
  readonly toSeconds: number
  readonly count: number
}

/** How long the units took that have both steps on their path; null where there is no unit. */
export interface TimeToConvert {
  readonly count: number
  readonly p25Seconds: number | null
  readonly medianSeconds: number | null
  readonly p75Seconds: number | null
  readonly bins: ReadonlyArray<TimeBin>
}

/** The milliseconds between the two steps of a path, given by the time of each step; null where one is not on it. */
export const durationBetween = (
  { fromStep, toStep }: TimeToConvertPlan,
  timeAt: (step: number) => number | null | undefined
): number | null => {
  const [from, to] = [timeAt(fromStep) ?? null, timeAt(toStep) ?? null]
  return from === null || to === null ? null : to - from
}

interface Scale {
  readonly least: number
  readonly most: number
  readonly bins: number
  /** Milliseconds of a bin. */
  readonly width: number
}

/** Bins of equal width from the shortest to the longest duration; one bin where all are the same. */
const scaleOf = (durations: ReadonlyArray<number>, wanted: number): Scale => {
  const least = durations.reduce((a, b) => Math.min(a, b), Infinity)
  const most = durations.reduce((a, b) => Math.max(a, b), -Infinity)
  const bins = least === most ? 1 : wanted
  return { least, most, bins, width: (most - least) / bins }
}

/** It divides last: to divide by a rounded width would put a duration where a bin begins into the bin before. */
const binAt = ({ least, most, bins }: Scale, duration: number): number =>
  most === least ? 0 : Math.min(bins - 1, Math.floor(((duration - least) * bins) / (most - least)))

/** Returns a function that finds the bin of a duration, from 0, among the bins that `timeToConvert` makes of `durations`. */
export const binOf = (
  durations: ReadonlyArray<number>,
  { bins }: TimeToConvertPlan
): ((duration: number) => number) => {
  const scale = scaleOf(durations, bins)
  return (duration) => binAt(scale, duration)
}

const binsOf = (durations: ReadonlyArray<number>, wanted: number): ReadonlyArray<TimeBin> => {
  if (durations.length === 0) return []
  const scale = scaleOf(durations, wanted)
  const { least, most, bins, width } = scale
  const counts = new Float64Array(bins)
  for (const duration of durations) counts[binAt(scale, duration)]!++
  return Array.from(counts, (count, bin) => ({
    fromSeconds: (least + bin * width) / 1000,
    toSeconds: (bin === bins - 1 ? most : least + (bin + 1) * width) / 1000,
    count
  }))
}

/** Quartiles and bins of durations in milliseconds, in any order. */
export const timeToConvert = (durations: ReadonlyArray<number>, plan: TimeToConvertPlan): TimeToConvert => {
  const seconds = (percentile: number): number | null => {
    const found = percentileOf(durations, percentile)
    return found === null ? null : found / 1000
  }
  return {
    count: durations.length,
    p25Seconds: seconds(25),
    medianSeconds: seconds(50),
    p75Seconds: seconds(75),
    bins: binsOf(durations, plan.bins)
  }
}
