import { dayMillis, minuteMillis } from "../../domain/Durations.ts"
import type { Step } from "../text/Times.ts"

const units = { h: "hour", d: "day", w: "week", mo: "month", y: "year" } as const

const days = { hour: 1 / 24, day: 1, week: 7, month: 30, year: 365 } as const

export type Period =
  | { readonly kind: "relative"; readonly step: keyof typeof days; readonly value: number }
  /** Days of the project's zone, `2026-10-01`, both within the period. */
  | { readonly kind: "dates"; readonly from: string; readonly to: string }

const dayPattern = /^\d{4}-\d{2}-\d{2}$/

const isDay = (text: string): boolean => dayPattern.test(text) && Number.isFinite(Date.parse(`${text}T00:00:00Z`))

/** `30d`, `24h`, `8w`, `6mo`, `1y` or `2026-10-01..2026-10-31`; null where the text says no period. */
export const periodOf = (text: string): Period | null => {
  const [, count, unit] = /^([1-9]\d{0,3})(h|d|w|mo|y)$/.exec(text) ?? []
  if (count !== undefined && (unit === "h" || unit === "d" || unit === "w" || unit === "mo" || unit === "y")) {
    return { kind: "relative", step: units[unit], value: Number(count) }
  }
  const [from = "", to = ""] = text.split("..")
  return isDay(from) && isDay(to) && from <= to ? { kind: "dates", from, to } : null
}

export const periodText = (period: Period): string =>
  period.kind === "dates"
    ? `${period.from}..${period.to}`
    : `${period.value}${Object.entries(units).find(([, step]) => step === period.step)?.[0] ?? "d"}`

export const periodWords = (period: Period): string =>
  period.kind === "dates"
    ? period.from === period.to
      ? `on ${period.from}`
      : `${period.from} to ${period.to}`
    : `last ${period.value === 1 ? "" : `${period.value} `}${period.step}${period.value === 1 ? "" : "s"}`

const lengthInDays = (period: Period): number =>
  period.kind === "relative"
    ? period.value * days[period.step]
    : (Date.parse(period.to) - Date.parse(period.from)) / dayMillis + 1

/** The width of buckets that suits the period, unless somebody chose another. */
export const stepFor = (period: Period): Step => {
  const length = lengthInDays(period)
  return length <= 2 ? "hour" : length <= 120 ? "day" : length <= 730 ? "week" : "month"
}

const offsetAt = (instant: number, timeZone: string): number => {
  const parts = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" }).formatToParts(instant)
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? ""
  const [, sign, hours = "0", minutes = "0"] = /([+-])(\d{2}):(\d{2})/.exec(name) ?? []
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minuteMillis
}

/** The first instant of a day in the zone, as ISO text; `after` days later. */
export const dayStart = (day: string, timeZone: string, after = 0): string => {
  const midnight = Date.parse(`${day}T00:00:00Z`) + after * dayMillis
  const guess = midnight - offsetAt(midnight, timeZone)
  return new Date(midnight - offsetAt(guess, timeZone)).toISOString()
}

/** The period as the API takes it. */
export const timeBody = (period: Period, step: Step, timeZone: string) =>
  period.kind === "relative"
    ? { step, relative: { step: period.step, value: period.value } }
    : { step, from: dayStart(period.from, timeZone), to: dayStart(period.to, timeZone, 1) }
