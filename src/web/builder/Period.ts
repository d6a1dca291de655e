import { dayMillis, hourMillis } from "../../domain/Durations.ts"
import type { Step } from "../text/Times.ts"
import { addDays, addMonths, isDay, today } from "./Days.ts"

const units = { h: "hour", d: "day", w: "week", mo: "month", y: "year" } as const

const days = { hour: 1 / 24, day: 1, week: 7, month: 30, year: 365 } as const

export type Period =
  /** So many steps that end now. */
  | { readonly kind: "relative"; readonly step: keyof typeof days; readonly value: number }
  /** So many steps of whole days that ended with yesterday. */
  | { readonly kind: "past"; readonly step: Exclude<keyof typeof days, "hour">; readonly value: number }
  /** From the beginning of a day, `2026-10-01`, until now. */
  | { readonly kind: "since"; readonly from: string }
  /** Days of the project's zone, `2026-10-01`, both within the period. */
  | { readonly kind: "dates"; readonly from: string; readonly to: string }

const past = ",past"

/** `30d`, `24h`, `8w`, `6mo`, `1y`, `30d,past`, `2026-10-01..2026-10-31` or `2026-10-01..`; null where the text says no period. */
export const periodOf = (text: string): Period | null => {
  const [, count, unit] = /^([1-9]\d{0,3})(h|d|w|mo|y)$/.exec(text.replace(/,past$/, "")) ?? []
  if (count !== undefined && (unit === "h" || unit === "d" || unit === "w" || unit === "mo" || unit === "y")) {
    const step = units[unit]
    const value = Number(count)
    if (!text.endsWith(past)) return { kind: "relative", step, value }
    return step === "hour" ? null : { kind: "past", step, value }
  }
  const [from = "", to = "", ...rest] = text.split("..")
  if (!text.includes("..") || rest.length > 0 || !isDay(from)) return null
  if (to === "") return { kind: "since", from }
  return isDay(to) && from <= to ? { kind: "dates", from, to } : null
}

const spanText = (step: keyof typeof days, value: number): string =>
  `${value}${Object.entries(units).find(([, each]) => each === step)?.[0] ?? "d"}`

export const periodText = (period: Period): string => {
  switch (period.kind) {
    case "relative":
      return spanText(period.step, period.value)
    case "past":
      return spanText(period.step, period.value) + past
    case "since":
      return `${period.from}..`
    case "dates":
      return `${period.from}..${period.to}`
  }
}

const lastWords = (step: string, value: number): string =>
  `last ${value === 1 ? "" : `${value} `}${step}${value === 1 ? "" : "s"}`

export const periodWords = (period: Period): string => {
  switch (period.kind) {
    case "relative":
      return lastWords(period.step, period.value)
    case "past":
      return `${lastWords(period.step, period.value)} without today`
    case "since":
      return `since ${period.from}`
    case "dates":
      return period.from === period.to ? `on ${period.from}` : `${period.from} to ${period.to}`
  }
}

/** The day so many steps of a relative period before another, as the server counts them. */
const daysEarlier = (day: string, step: "day" | "week" | "month" | "year", value: number): string =>
  step === "month" || step === "year"
    ? addMonths(day, -value * (step === "year" ? 12 : 1))
    : addDays(day, -value * days[step])

/** The first and the last day of the period, both within it, seen from `now`, a day of the project's zone. */
export const daysOf = (period: Period, now: string): { readonly from: string; readonly to: string } => {
  switch (period.kind) {
    case "dates":
      return { from: period.from, to: period.to }
    case "since":
      return { from: period.from, to: period.from > now ? period.from : now }
    case "relative": {
      const { step, value } = period
      const ofHours = () => addDays(now, 1 - Math.max(1, Math.round(value * days.hour)))
      return { from: step === "hour" ? ofHours() : daysEarlier(now, step, value), to: now }
    }
    case "past":
      return { from: daysEarlier(now, period.step, period.value), to: addDays(now, -1) }
  }
}

/** Whether today, a day of the project's zone, is within the period, so that new markers belong to it. */
export const endsNow = (period: Period, now: string): boolean => daysOf(period, now).to >= now

/** As many days before (`by` -1) or after (1) the period, never beyond today; the same period where there is nothing to move to. */
export const movedPeriod = (period: Period, by: -1 | 1, now: string): Period => {
  const { from, to } = daysOf(period, now)
  const length = Math.round((Date.parse(to) - Date.parse(from)) / dayMillis) + 1
  const last = addDays(to, by * length)
  if (by === 1 && to >= now) return period
  const end = last > now ? now : last
  return { kind: "dates", from: addDays(end, 1 - length), to: end }
}

const lengthInDays = (period: Period): number => {
  if (period.kind === "relative" || period.kind === "past") return period.value * days[period.step]
  const { from, to } = daysOf(period, today("UTC"))
  return (Date.parse(to) - Date.parse(from)) / dayMillis + 1
}

/** The width of buckets that suits the period, unless somebody chose another. */
export const stepFor = (period: Period): Step => {
  const length = lengthInDays(period)
  return length <= 2 ? "hour" : length <= 120 ? "day" : length <= 730 ? "week" : "month"
}

const offsets = new Map<string, Intl.DateTimeFormat>()

/** Milliseconds that the zone is ahead of UTC at an instant. */
const offsetAt = (instant: number, timeZone: string): number => {
  const format = offsets.get(timeZone) ?? new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" })
  offsets.set(timeZone, format)
  const name = format.formatToParts(instant).find(({ type }) => type === "timeZoneName")?.value ?? ""
  const [, sign, ...parts] = /([+-])(\d{2}):(\d{2})(?::(\d{2}))?/.exec(name) ?? []
  const [hours, minutes, seconds] = [0, 1, 2].map((at) => Number(parts[at] ?? 0))
  return (sign === "-" ? -1 : 1) * ((hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0)) * 1000
}

/** The instant after `from` and at or before `to` at which the zone leaves the offset that it has at `from`. */
const changeIn = (from: number, to: number, timeZone: string): number => {
  const before = offsetAt(from, timeZone)
  let [low, high] = [Math.floor(from / 1000), Math.ceil(to / 1000)]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(middle * 1000, timeZone) === before) low = middle
    else high = middle
  }
  return high * 1000
}

/** The first instant of a day in the zone, as ISO text; `after` days later. Where clocks leap over midnight, that is the instant of the leap. */
export const dayStart = (day: string, timeZone: string, after = 0): string => {
  const midnight = Date.parse(`${day}T00:00:00Z`) + after * dayMillis
  const [before, later] = [-1, 1].map((days) => offsetAt(midnight + days * dayMillis, timeZone))
  const early = midnight - (before ?? 0)
  if (before === later || offsetAt(early, timeZone) === before) return new Date(early).toISOString()
  const late = midnight - (later ?? 0)
  const start = offsetAt(late, timeZone) === later ? late : changeIn(late, early, timeZone)
  return new Date(start).toISOString()
}

/** The day of the zone in which an instant lies: `2026-10-01`. */
export const dayOf = (instant: number, timeZone: string): string => today(timeZone, instant)

/** The period as the API takes it, seen from `now`, a day of the zone. */
export const timeBody = (period: Period, step: Step, timeZone: string, now = today(timeZone)) => {
  if (period.kind === "relative") return { step, relative: { step: period.step, value: period.value } }
  const { from, to } = daysOf(period, now)
  return { step, from: dayStart(from, timeZone), to: dayStart(to, timeZone, 1) }
}

/**
 * The time right before a relative period, as long as its steps: it ends where the server lets the period begin, with a whole hour or day.
 * `now` is a day of the zone, `instant` (epoch ms) one within it.
 */
export const timeBefore = (
  { step, value }: Extract<Period, { readonly kind: "relative" }>,
  timeZone: string,
  now: string,
  instant = Date.now()
): { readonly from: string; readonly to: string } => {
  if (step === "hour") {
    const earliest = instant - value * hourMillis
    // Hours of some zones, such as that of India, begin with half an hour of UTC.
    const offset = offsetAt(earliest, timeZone)
    const to = Math.floor((earliest + offset) / hourMillis) * hourMillis - offset
    return { from: new Date(to - value * hourMillis).toISOString(), to: new Date(to).toISOString() }
  }
  const first = daysEarlier(now, step, value)
  return { from: dayStart(daysEarlier(first, step, value), timeZone), to: dayStart(first, timeZone) }
}
