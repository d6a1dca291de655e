import { dayMillis } from "../../domain/Durations.ts"

/** Days of a calendar as texts, `2026-10-01`, which sort as they follow each other. Counting ends at the first and the last that have four digits. */

const instantOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)

const within = (number: number, least: number, most: number): number => Math.min(Math.max(number, least), most)

const dayText = (instant: number): string =>
  new Date(within(instant, instantOf("0000-01-01"), instantOf("9999-12-31"))).toISOString().slice(0, 10)

/** The present day in the zone. */
export const today = (timeZone: string, now = Date.now()): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" }).format(now)

export const addDays = (day: string, count: number): string => dayText(instantOf(day) + count * dayMillis)

/** The same day of another month; its last day where that is shorter. */
export const addMonths = (day: string, count: number): string => {
  const months = within(Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + count, 0, 9999 * 12 + 11)
  const first = dayOf(Math.floor(months / 12), (months % 12) + 1, 1)
  return addDays(first, Math.min(Number(day.slice(8)), daysInMonth(first)) - 1)
}

export const dayOf = (year: number, month: number, day: number): string =>
  `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`

export const firstOfMonth = (day: string): string => `${day.slice(0, 8)}01`

export const daysInMonth = (day: string): number =>
  new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 0)).getUTCDate()

/** 0 is Monday, 6 Sunday. */
export const weekdayOf = (day: string): number => (new Date(instantOf(day)).getUTCDay() + 6) % 7

/** Whether the text names a day that the calendar has. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(instantOf(text)) && dayText(instantOf(text)) === text
