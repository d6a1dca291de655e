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

/** Windows of a series by its buckets' starts (epoch ms). What lies before the first value that is not 0 is not known. */
export const windowsOfSeries = (
  starts: ReadonlyArray<number>,
  values: ReadonlyArray<number | null>,
  step: WindowStep,
  zone: Zone
): ReadonlyArray<CountedWindow | null> => {
  const first = values.findIndex((value) => value !== null && value !== 0)
  return starts.map((start, index) => {
    const value = values[index] ?? null
    if (value === null || first < 0 || index < first) return null
    return { slot: slotOf(zone, step, start), count: value, of: 1 }
  })
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
