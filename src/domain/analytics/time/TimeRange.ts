import { Either, Option } from "effect"
import { type Calendar, type Step, type WeekStart, localDate, shift, startOf } from "../../Calendar.ts"
import { zoneNamed } from "../../Zone.ts"
import { type Buckets, type TimeSpan, bucketsOf, countOf } from "./Buckets.ts"
import { dayMillis, hourMillis, minuteMillis } from "../../Durations.ts"

export interface Relative {
  readonly step: "minute" | Step | "year"
  /** Positive. */
  readonly value: number
}

/** The time of a query. Instants are in epoch ms, `to` exclusive. */
export interface TimeRequest {
  readonly step: Step
  readonly zone: string
  readonly weekStart: WeekStart
  readonly span: TimeSpan | Relative
}

export interface TimeRange {
  readonly calendar: Calendar
  /** `from` is the start of the first bucket; `to` is as requested. */
  readonly range: TimeSpan
  readonly buckets: Buckets
}

export type TimeError =
  | { readonly _tag: "UnknownZone"; readonly zone: string }
  | { readonly _tag: "InvertedRange"; readonly from: number; readonly to: number }
  | { readonly _tag: "OutOfCalendar"; readonly instant: number }
  | { readonly _tag: "TooManyBuckets"; readonly maximum: number }

/** At least so long is one step, in milliseconds. */
const shortest: Record<Relative["step"], number> = {
  minute: minuteMillis,
  hour: hourMillis,
  day: 23 * hourMillis,
  week: 6 * dayMillis,
  month: 27 * dayMillis,
  year: 364 * dayMillis
}

/** The first and the last instant that questions may ask about: the start of 1900, and of 10000 (epoch ms, UTC). */
export const calendarStart = -2_208_988_800_000
export const calendarEnd = 253_402_300_800_000

/** So many steps before `now`. No calendar is asked about an instant that lies before 1900 however short the steps are. */
const before = (calendar: Calendar, now: number, { step, value }: Relative): number => {
  const latestStart = now - value * shortest[step]
  if (step === "minute" || latestStart < calendarStart) return latestStart
  return step === "year" ? shift(calendar.zone, now, -12 * value, "month") : shift(calendar.zone, now, -value, step)
}

const rangeOf = (calendar: Calendar, now: number, span: TimeSpan | Relative): TimeSpan =>
  "value" in span ? { from: before(calendar, now, span), to: now + 1 } : span

/**
 * The range and buckets of a query. A relative span ends with, and includes, the millisecond `now` and goes back by the
 * local calendar. `from` is rounded down to the start of its bucket. Instants must lie between the years 1900 and 9999.
 */
export const resolve = (
  request: TimeRequest,
  now: number,
  maximumBuckets: number
): Either.Either<TimeRange, TimeError> => {
  const zone = zoneNamed(request.zone)
  if (Option.isNone(zone)) return Either.left({ _tag: "UnknownZone", zone: request.zone })
  const calendar = { zone: zone.value, weekStart: request.weekStart }
  const asked = rangeOf(calendar, now, request.span)
  for (const instant of [asked.from, asked.to]) {
    if (!(instant >= calendarStart && instant <= calendarEnd)) return Either.left({ _tag: "OutOfCalendar", instant })
  }
  if (asked.from >= asked.to) return Either.left({ _tag: "InvertedRange", ...asked })
  if ((asked.to - asked.from) / shortest[request.step] > 2 * maximumBuckets) {
    return Either.left({ _tag: "TooManyBuckets", maximum: maximumBuckets })
  }
  const range = { from: startOf(calendar, request.step, asked.from), to: asked.to }
  const buckets = bucketsOf(calendar, request.step, range)
  if (countOf(buckets) > maximumBuckets) return Either.left({ _tag: "TooManyBuckets", maximum: maximumBuckets })
  return Either.right({ calendar, range, buckets })
}

/** The end of the time before, of which the last bucket begins at `sameStart` and that of the range at `lastStart`. */
type EndOf = (sameStart: number, lastStart: number) => number

/**
 * As many buckets right before the range; `longBefore` is an instant before the first of them. They end where `endOf` says, or with the last
 * of them if the range fills its own last bucket.
 */
const rightBefore = ({ calendar, range, buckets }: TimeRange, longBefore: number, endOf: EndOf): TimeRange => {
  const count = countOf(buckets)
  const [lastStart, lastEnd] = [buckets.boundaries[count - 1]!, buckets.boundaries[count]!]
  const from = startOf(calendar, buckets.step, longBefore)
  const earlier = bucketsOf(calendar, buckets.step, { from, to: range.from })
  const boundaries = earlier.boundaries.slice(-count - 1)
  const to = range.to >= lastEnd ? range.from : Math.min(endOf(boundaries[count - 1]!, lastStart), range.from)
  return { calendar, range: { from: boundaries[0]!, to }, buckets: { ...earlier, boundaries } }
}

/**
 * As many hours right before the range, the last of which ends as long after its start as that of the range. An hour in which clocks
 * change by half an hour is two periods, or a shorter one, so that periods are counted and not hours of absolute time.
 */
const previousHours = (time: TimeRange): TimeRange => {
  const { range, buckets } = time
  const longBefore = range.from - (countOf(buckets) + 1) * hourMillis
  return rightBefore(time, longBefore, (sameStart, lastStart) => sameStart + range.to - lastStart)
}

/** How many dates of the calendar lie between two bucket starts. A day that the zone skipped when it crossed the date line is one, but no bucket. */
const datesBetween = ({ calendar: { zone } }: TimeRange, earlier: number, later: number): number =>
  localDate(zone, later) - localDate(zone, earlier)

/**
 * The equally long range before this one: as many buckets, right before it, which correspond by index. It ends at the same time of its last
 * bucket as the range does of its own.
 */
export const previousPeriod = (time: TimeRange): TimeRange => {
  const { calendar, range, buckets } = time
  const { step } = buckets
  if (step === "hour") return previousHours(time)
  const count = countOf(buckets)
  const longBefore = shift(calendar.zone, range.from, -count - 1, step)
  return rightBefore(time, longBefore, (sameStart, lastStart) => {
    const back = step === "day" ? datesBetween(time, sameStart, lastStart) : count
    // Where clocks went forward at midnight, the day has no first hour: what the range has of its own is compared with the hour after that.
    const leastEnd = sameStart + Math.min(range.to - lastStart, hourMillis)
    return Math.max(shift(calendar.zone, range.to, -back, step), leastEnd)
  })
}
