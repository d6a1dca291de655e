import { DateTime, Either } from "effect"
import type { Step, WeekStart } from "../../Calendar.ts"
import { type Checked, problem } from "../question/QueryProblem.ts"
import { type Relative, type TimeError, type TimeRange, resolve } from "./TimeRange.ts"

/** The `time` of a query. Without a zone the project's counts. */
export type TimeQuery = { readonly step: Step; readonly timezone?: string | undefined } & (
  | { readonly relative: Relative }
  | { readonly from: DateTime.Utc; readonly to: DateTime.Utc }
)

/** What a query is asked under. */
export interface Asking {
  /** Epoch milliseconds. */
  readonly now: number
  /** IANA zone of the project. */
  readonly zone: string
  readonly weekStart: WeekStart
}

/** Points a result has at most. */
export const maximumPoints = 10_000

const explain = (error: TimeError): Checked<never> => {
  switch (error._tag) {
    case "UnknownZone":
      return problem("timeZone", `time.timezone: there is no time zone ${error.zone}`)
    case "InvertedRange":
      return problem("timeRange", "time.to: must lie after time.from")
    case "OutOfCalendar":
      return problem("timeRange", "time: instants lie between the years 1900 and 9999")
    case "TooManyBuckets":
      return problem("limit", `time: more than ${error.maximum} periods`)
  }
}

export const planTime = (time: TimeQuery, { now, zone, weekStart }: Asking): Checked<TimeRange> => {
  const span =
    "relative" in time
      ? time.relative
      : { from: DateTime.toEpochMillis(time.from), to: DateTime.toEpochMillis(time.to) }
  const request = { step: time.step, zone: time.timezone ?? zone, weekStart, span } as const
  return Either.orElse(resolve(request, now, maximumPoints), explain)
}

/** The time of a query as its answer tells it: a relative one ends now. */
export const timeTold = (time: TimeQuery, { range, buckets }: TimeRange, { now }: Asking) => ({
  from: DateTime.unsafeMake(range.from),
  to: DateTime.unsafeMake("relative" in time ? now : range.to),
  step: buckets.step,
  timezone: buckets.zone
})

export const bucketStarts = ({ buckets }: TimeRange): ReadonlyArray<DateTime.Utc> =>
  buckets.boundaries.slice(0, -1).map((start) => DateTime.unsafeMake(start))
