import { DateTime, Either } from "effect"
import type { Step, WeekStart } from "../../Calendar.ts"
import { nearestName } from "../../NearestName.ts"
import { beside, type Checked, type QueryProblem } from "../question/QueryProblem.ts"
import { type Relative, type TimeError, type TimeRange, resolve } from "./TimeRange.ts"

/** The `time` of a query. Without `timezone`, the project's zone applies. */
export type TimeQuery = { readonly step: Step; readonly timezone?: string | undefined } & (
  | { readonly relative: Relative }
  | { readonly from: DateTime.Utc; readonly to: DateTime.Utc }
)

/** The circumstances of a query: the time, and the project's calendar. */
export interface Asking {
  /** Epoch ms. */
  readonly now: number
  /** The project's IANA zone. */
  readonly zone: string
  readonly weekStart: WeekStart
}

/** The most points that a result may have, and the most periods that a time may be divided into. */
export const maximumPoints = 10_000

const meantZone = (name: string): string => {
  const meant = nearestName(name, Intl.supportedValuesOf("timeZone"))
  return meant === undefined ? "" : `, did you mean ${meant}?`
}

const problemOf = (error: TimeError): QueryProblem => {
  switch (error._tag) {
    case "UnknownZone":
      return { kind: "timeZone", message: `time.timezone: there is no time zone ${error.zone}${meantZone(error.zone)}` }
    case "InvertedRange":
      return { kind: "timeRange", message: "time.to: must lie after time.from" }
    case "OutOfCalendar":
      return { kind: "timeRange", message: "time: instants lie between the years 1900 and 9999" }
    case "TooManyBuckets":
      return {
        kind: "limit",
        message: `time: more than ${error.maximum} periods: ask for a shorter time or a longer step`
      }
  }
}

/** Resolves the time of a query, or tells why it cannot be asked. */
export const planTime = (time: TimeQuery, { now, zone, weekStart }: Asking): Checked<TimeRange> => {
  const span =
    "relative" in time
      ? time.relative
      : { from: DateTime.toEpochMillis(time.from), to: DateTime.toEpochMillis(time.to) }
  const request = { step: time.step, zone: time.timezone ?? zone, weekStart, span } as const
  return Either.orElse(resolve(request, now, maximumPoints), (error) =>
    error._tag === "UnknownZone"
      ? // Whether the range is one does not depend on the zone.
        beside(problemOf(error), Either.mapLeft(resolve({ ...request, zone: "UTC" }, now, maximumPoints), problemOf))
      : Either.left(problemOf(error))
  )
}

/** The time of a query as its answer reports it; a relative one ends at `now`. */
export const timeTold = (time: TimeQuery, { range, buckets }: TimeRange, { now }: Asking) => ({
  from: DateTime.unsafeMake(range.from),
  to: DateTime.unsafeMake("relative" in time ? now : range.to),
  step: buckets.step,
  timezone: buckets.zone
})

/** The starts of the buckets. */
export const bucketStarts = ({ buckets }: TimeRange): ReadonlyArray<DateTime.Utc> =>
  buckets.boundaries.slice(0, -1).map((start) => DateTime.unsafeMake(start))

/** Of each bucket whether it is over at `now` (epoch milliseconds), so that nothing more can come into it. */
export const bucketsOver = ({ buckets }: TimeRange, now: number): ReadonlyArray<boolean> =>
  buckets.boundaries.slice(1).map((end) => end <= now)
