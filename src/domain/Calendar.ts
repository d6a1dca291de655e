import { daysFromCivil } from "./CivilDate.ts"
import { type Zone, instantOfLocal } from "./Zone.ts"
import { dayMillis, hourMillis } from "./Durations.ts"

export type Step = "hour" | "day" | "week" | "month"

/** 0 is Sunday. */
export type WeekStart = 0 | 1 | 2 | 3 | 4 | 5 | 6

/** How a project divides time. */
export interface Calendar {
  readonly zone: Zone
  readonly weekStart: WeekStart
}

interface Civil {
  readonly year: number
  /** 1..12 */
  readonly month: number
  /** 1..31 */
  readonly date: number
}

/** The date of a day counted from 1970-01-01. Inverse of `daysFromCivil`, from the same source. */
export const civilFromDays = (days: number): Civil => {
  const shifted = days + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const index = Math.floor((5 * dayOfYear + 2) / 153)
  const month = index < 10 ? index + 3 : index - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    date: dayOfYear - Math.floor((153 * index + 2) / 5) + 1
  }
}

const addMonths = (days: number, months: number): number => {
  const { year, month, date } = civilFromDays(days)
  const index = year * 12 + month - 1 + months
  const first = daysFromCivil(Math.floor(index / 12), (((index % 12) + 12) % 12) + 1, 1)
  const length = daysFromCivil(Math.floor((index + 1) / 12), ((((index + 1) % 12) + 12) % 12) + 1, 1) - first
  return first + Math.min(date, length) - 1
}

const addSteps = (days: number, count: number, step: "day" | "week" | "month"): number =>
  step === "month" ? addMonths(days, count) : days + count * (step === "week" ? 7 : 1)

const firstDay = (calendar: Calendar, days: number, step: "day" | "week" | "month"): number => {
  if (step === "day") return days
  if (step === "month") return days - civilFromDays(days).date + 1
  return days - ((((days + 4 - calendar.weekStart) % 7) + 7) % 7)
}

/** The local date of an instant (epoch ms), as days since 1970-01-01. */
export const localDate = (zone: Zone, instant: number): number =>
  Math.floor((instant + zone.offsetAt(instant)) / dayMillis)

const startOfHour = (zone: Zone, instant: number): number => {
  const offset = zone.offsetAt(instant)
  const start = instant - ((((instant + offset) % hourMillis) + hourMillis) % hourMillis)
  return zone.transitionIn(start, instant) ?? start
}

const startAfterHour = (zone: Zone, start: number): number => {
  const offset = zone.offsetAt(start)
  const next = start + hourMillis - ((((start + offset) % hourMillis) + hourMillis) % hourMillis)
  return zone.transitionIn(start, next) ?? next
}

/** The start of the calendar period after the one that begins at `start` (epoch ms). */
export const nextStart = (calendar: Calendar, step: Step, start: number): number => {
  const { zone } = calendar
  if (step === "hour") return startAfterHour(zone, start)
  const first = firstDay(calendar, localDate(zone, start), step)
  for (let count = 1; ; count++) {
    const next = instantOfLocal(zone, addSteps(first, count, step) * dayMillis)
    if (next > start) return next
  }
}

/**
 * The start of the calendar period that contains the instant (epoch ms). When clocks go back, the repeated hour is two
 * periods.
 */
export const startOf = (calendar: Calendar, step: Step, instant: number): number => {
  const { zone } = calendar
  if (step === "hour") return startOfHour(zone, instant)
  const days = firstDay(calendar, localDate(zone, instant), step)
  const start = instantOfLocal(zone, days * dayMillis)
  const next = nextStart(calendar, step, start)
  return next <= instant ? next : start
}

/**
 * The same wall-clock time `count` periods later, or earlier if negative (epoch ms). If the month lacks that date, its
 * last day. Hours are absolute.
 */
export const shift = (zone: Zone, instant: number, count: number, step: Step): number => {
  if (step === "hour") return instant + count * hourMillis
  const local = instant + zone.offsetAt(instant)
  const days = Math.floor(local / dayMillis)
  return instantOfLocal(zone, addSteps(days, count, step) * dayMillis + (local - days * dayMillis))
}
