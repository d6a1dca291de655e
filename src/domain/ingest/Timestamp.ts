import { daysFromCivil } from "../Zone.ts"

const iso = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/i

/** Below this a number counts seconds. */
const firstMilliseconds = 1e12

/** Past this a number is no instant of the ECMAScript calendar. */
const lastInstant = 8.64e15

const isDate = (year: number, month: number, date: number): boolean => {
  const next = month === 12 ? daysFromCivil(year + 1, 1, 1) : daysFromCivil(year, month + 1, 1)
  return date <= next - daysFromCivil(year, month, 1)
}

const instantOfText = (text: string): number | null => {
  const match = iso.exec(text)
  if (match === null) return null
  const instant = Date.parse(text.toUpperCase())
  const isKnown = !Number.isNaN(instant) && isDate(Number(match[1]), Number(match[2]), Number(match[3]))
  return isKnown ? instant : null
}

const instantOfNumber = (value: number): number | null => {
  const instant = Math.round(value < firstMilliseconds ? value * 1000 : value)
  return Math.abs(instant) <= lastInstant ? instant + 0 : null
}

/**
 * The instant, in epoch milliseconds, of an ISO 8601 text with an offset or of a number: epoch milliseconds, or seconds below 10^12.
 * Null for anything else.
 */
export const instantOf = (value: unknown): number | null =>
  typeof value === "number" ? instantOfNumber(value) : typeof value === "string" ? instantOfText(value) : null
