import { hourMillis } from "../../domain/Durations.ts"
import type { Period } from "../builder/Period.ts"
import { dayStart, daysOf, periodOf, periodText, timeBefore } from "../builder/Period.ts"
import type { Codec } from "../url/Codec.ts"

/** What is asked about a link. */
export interface ResultsState {
  readonly period: Period
  readonly breakdown: "source" | "country" | "device"
}

const usual = "30d"

export const resultsCodec: Codec<ResultsState> = {
  read: (parameters) => {
    const by = parameters.get("by")
    return {
      period: periodOf(parameters.get("range") ?? usual) ?? { kind: "relative", step: "day", value: 30 },
      breakdown: by === "country" || by === "device" ? by : "source"
    }
  },
  write: ({ period, breakdown }) =>
    new URLSearchParams({
      ...(periodText(period) === usual ? {} : { range: periodText(period) }),
      ...(breakdown === "source" ? {} : { by: breakdown })
    })
}

/**
 * The time of results as the API takes it. A relative period begins where the questions of other pages let it begin. `day` is the present one
 * of the zone, `now` (epoch ms) an instant of it; within one hour the time is the same.
 */
export const timeOfResults = (period: Period, timeZone: string, day: string, now = Date.now()) => {
  const { from, to } = daysOf(period, day)
  const end = dayStart(to, timeZone, 1)
  if (period.kind !== "relative") return { from: dayStart(from, timeZone), to: end }
  const start = timeBefore(period, timeZone, day, now).to
  // The hour of now is the last one: those of the rest of the day are not there yet.
  const afterHours = new Date(Date.parse(start) + (period.value + 1) * hourMillis).toISOString()
  return { from: start, to: period.step === "hour" ? afterHours : end }
}

/** Of each bucket of a time that ends at `to` whether it is over at `now` (epoch ms). */
export const areOver = (buckets: ReadonlyArray<string>, to: string, now = Date.now()): ReadonlyArray<boolean> =>
  buckets.map((_, index) => Date.parse(buckets[index + 1] ?? to) <= now)
