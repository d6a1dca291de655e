import { unitMillis } from "../../Durations.ts"
import type { Zone } from "../../Zone.ts"
import { slotOf } from "./AlertWindow.ts"
import type { WindowStep } from "./AlertJudgement.ts"
import type { Variation } from "./Prediction.ts"
import type { CountedWindow } from "./PastWindows.ts"

/** Measures that count players or markers, which vary by chance at least. */
const counts: ReadonlySet<string> = new Set([
  "totalEvents",
  "uniqueUsers",
  "dau",
  "wau",
  "mau",
  "totalSessions",
  "firstTimeUsers"
])

/** How a measure of an insight varies. */
export const variationOf = (measure: string): Variation => (counts.has(measure) ? "count" : "amount")

/** Windows of a series by its buckets' starts (epoch ms). */
export const windowsOfSeries = (
  starts: ReadonlyArray<number>,
  values: ReadonlyArray<number | null>,
  step: WindowStep,
  zone: Zone
): ReadonlyArray<CountedWindow | null> =>
  starts.map((start, index) => {
    const value = values[index] ?? null
    return value === null ? null : { slot: slotOf(zone, step, start), count: value, of: 1 }
  })

/** The windows as a past to compare with: what lies before the first that is not 0, such as the time before a game began, is not known. */
export const withoutBeginning = (windows: ReadonlyArray<CountedWindow | null>): ReadonlyArray<CountedWindow | null> => {
  const first = windows.findIndex((window) => window !== null && window.count !== 0)
  return windows.map((window, index) => (first < 0 || index < first ? null : window))
}

/** Of those who entered a funnel in each bucket, how many reached its last step. */
export interface Entered {
  /** Epoch ms. */
  readonly bucket: number
  readonly entered: number
  readonly converted: number
}

/** Windows of a funnel's conversion, one for each bucket that the range has. */
export const windowsOfFunnel = (
  all: ReadonlyArray<Entered>,
  step: WindowStep,
  zone: Zone
): ReadonlyArray<CountedWindow | null> =>
  all.map(({ bucket, entered, converted }) =>
    entered === 0 ? null : { slot: slotOf(zone, step, bucket), count: converted, of: entered }
  )

/** Milliseconds within which the step has to be reached: a window of the alert, or the funnel's own time if that is shorter. */
export const reachMillis = (
  { step, value }: { readonly step: keyof typeof unitMillis; readonly value: number },
  every: WindowStep
): number => Math.min(unitMillis[step] * value, unitMillis[every])
