import { hourMillis } from "../../domain/Durations.ts"

export type Step = "hour" | "day" | "week" | "month"

const cache = new Map<string, Intl.DateTimeFormat>()

const formatOf = (timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
  const key = timeZone + JSON.stringify(options)
  const known = cache.get(key) ?? new Intl.DateTimeFormat("en-GB", { ...options, timeZone })
  cache.set(key, known)
  return known
}

const short: Readonly<Record<Step, Intl.DateTimeFormatOptions>> = {
  hour: { hour: "2-digit", minute: "2-digit" },
  day: { day: "numeric", month: "short" },
  week: { day: "numeric", month: "short" },
  month: { month: "short", year: "2-digit" }
}

const long: Readonly<Record<Step, Intl.DateTimeFormatOptions>> = {
  hour: { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" },
  day: { weekday: "short", day: "numeric", month: "short" },
  week: { day: "numeric", month: "short", year: "numeric" },
  month: { month: "long", year: "numeric" }
}

/** The beginning of a bucket below an axis. */
export const bucketText = (instant: string, step: Step, timeZone: string): string =>
  formatOf(timeZone, short[step]).format(new Date(instant))

/** Options with the year where it is not the present one: what lies a year back would be taken for something of these days. */
const withYear = (options: Intl.DateTimeFormatOptions, at: Date, timeZone: string): Intl.DateTimeFormatOptions => {
  const year = formatOf(timeZone, { year: "numeric" })
  return year.format(at) === year.format(Date.now()) ? options : { ...options, year: "numeric" }
}

/** What a zone is called at an instant: `UTC`, `CET`, `GMT+9`. */
const zoneName = (instant: string, timeZone: string): string =>
  formatOf(timeZone, { timeZoneName: "short" })
    .formatToParts(new Date(instant))
    .find(({ type }) => type === "timeZoneName")?.value ?? timeZone

const plainName = (instant: string | number, step: Step, timeZone: string): string => {
  const at = new Date(instant)
  const text = formatOf(timeZone, withYear(long[step], at, timeZone))
    .format(at)
    .replaceAll(",", "")
  return step === "week" ? `Week of ${text}` : text
}

/** Day of the week, day and time of day to the minute. */
export const hourText = (instant: string, timeZone: string): string => plainName(instant, "hour", timeZone)

/** Whether the hour before or after reads the same, as when clocks go back. */
const isRepeated = (instant: string, timeZone: string): boolean =>
  [-hourMillis, hourMillis].some(
    (distance) => plainName(Date.parse(instant) + distance, "hour", timeZone) === hourText(instant, timeZone)
  )

/** The beginning of a bucket in a sentence, a tooltip or a table. Of an hour that comes twice, the name of the zone says which it is. */
export const bucketName = (instant: string, step: Step, timeZone: string): string => {
  const text = plainName(instant, step, timeZone)
  return step === "hour" && isRepeated(instant, timeZone) ? `${text} ${zoneName(instant, timeZone)}` : text
}

/** Time of day to the second. */
export const clockText = (instant: string, timeZone: string): string =>
  formatOf(timeZone, { hour: "2-digit", minute: "2-digit", second: "2-digit" }).format(new Date(instant))

/** Day and time of day to the minute. */
export const momentText = (instant: string, timeZone: string): string =>
  formatOf(timeZone, { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" }).format(
    new Date(instant)
  )

/** The zone of whoever looks at the page. */
export const browserZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/**
 * An instant in the words of `text`. Where the project or the browser has another time of day then, it ends with the name of its zone, so
 * that nobody takes it for the other one.
 */
export const zonedText = (
  instant: string,
  timeZone: string,
  projectZone: string,
  text: (instant: string, timeZone: string) => string = momentText
): string => {
  const words = text(instant, timeZone)
  const isSure = [projectZone, browserZone()].every((other) => text(instant, other) === words)
  return isSure ? words : `${words} ${zoneName(instant, timeZone)}`
}

/** What a zone is ahead of UTC at an instant: `+01:00`. */
const offsetOf = (instant: string, timeZone: string): string =>
  formatOf(timeZone, { timeZoneName: "longOffset" })
    .formatToParts(new Date(instant))
    .find(({ type }) => type === "timeZoneName")
    ?.value.replace("GMT", "") || "+00:00"

/**
 * An instant in a table for other programs: day and hour of the project's zone, where UTC often names the day before, and the zone's offset,
 * as one hour comes twice a year.
 */
export const stampText = (instant: string, timeZone: string): string =>
  `${dayKey(instant, timeZone)}T${formatOf(timeZone, short.hour).format(new Date(instant))}${offsetOf(instant, timeZone)}`

/** The day of an instant in a zone, `2026-11-22`. */
export const dayKey = (instant: string, timeZone: string): string =>
  formatOf(timeZone, { year: "numeric", month: "2-digit", day: "2-digit" })
    .formatToParts(new Date(instant))
    .filter(({ type }) => type !== "literal")
    .map(({ value }) => value)
    .reverse()
    .join("-")
