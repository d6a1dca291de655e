import { addDays, dayOf, daysInMonth, isDay } from "./Days.ts"
import type { Period } from "./Period.ts"

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

const monthOf = (word: string | undefined): number =>
  word === undefined || word.length < 3 ? 0 : months.findIndex((name) => word.startsWith(name)) + 1

const unitOf: Readonly<Record<string, Extract<Period, { readonly kind: "relative" }>["step"]>> = {
  h: "hour",
  hour: "hour",
  d: "day",
  day: "day",
  w: "week",
  week: "week",
  mo: "month",
  month: "month",
  y: "year",
  year: "year"
}

interface Days {
  readonly from: string
  readonly to: string
}

/** The latest such day that is not after today, where no year was typed. */
const withYear = (year: string | undefined, now: string, build: (year: number) => string): string => {
  if (year !== undefined) return build(Number(year))
  const present = build(Number(now.slice(0, 4)))
  return present > now ? build(Number(now.slice(0, 4)) - 1) : present
}

/** `2026-10-01`, `Oct 1`, `1 October 2026`, `Oct 2026`, `today`; null where the text names no day or month. */
const daysTyped = (text: string, now: string): Days | null => {
  if (text === "today" || text === "now") return { from: now, to: now }
  if (text === "yesterday") return { from: addDays(now, -1), to: addDays(now, -1) }
  if (isDay(text)) return { from: text, to: text }
  const [, word, day, year] = /^([a-z]+)\.? (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?$/.exec(text) ?? swapped(text)
  if (monthOf(word) > 0 && day !== undefined) {
    const found = withYear(year, now, (each) => dayOf(each, monthOf(word), Number(day)))
    return isDay(found) ? { from: found, to: found } : null
  }
  const [, name, ofYear] = /^([a-z]+)\.?(?: (\d{4}))?$/.exec(text) ?? []
  if (monthOf(name) === 0) return null
  const from = withYear(ofYear, now, (each) => dayOf(each, monthOf(name), 1))
  return { from, to: addDays(from, daysInMonth(from) - 1) }
}

/** `1 October 2026` in the order of `October 1 2026`. */
const swapped = (text: string): ReadonlyArray<string | undefined> => {
  const [, day, word, year] = /^(\d{1,2})(?:st|nd|rd|th|\.)? ([a-z]+)\.?(?:,? (\d{4}))?$/.exec(text) ?? []
  return [undefined, word, day, year]
}

/**
 * A period as people type it: `3 weeks`, `last 90 days`, `yesterday`, `2026-10-01`, `Oct 1 - now`, `Oct 1 to Oct 14`, `September`. `now`
 * is a day of the project's zone, `2026-11-22`. Null where the text says no period.
 */
export const typedPeriod = (typed: string, now: string): Period | null => {
  const text = typed.trim().toLowerCase().replaceAll(/\s+/g, " ")
  const [, count = "1", unit = ""] =
    /^(?:last |past )?(\d{1,4})? ?(h|d|w|mo|y|hour|day|week|month|year)s?$/.exec(text) ?? []
  const step = unitOf[unit]
  if (step !== undefined && Number(count) > 0) return { kind: "relative", step, value: Number(count) }
  const [first = "", second, ...rest] = text.split(/ - | ?– ?| to | ?\.\. ?/)
  const from = daysTyped(first, now)
  if (from === null || rest.length > 0) return null
  if (second === undefined) return { kind: "dates", ...from }
  if (second === "now" || second === "today" || second === "") {
    return from.from <= now ? { kind: "since", from: from.from } : null
  }
  const to = daysTyped(second, now)
  return to === null || to.to < from.from ? null : { kind: "dates", from: from.from, to: to.to }
}
