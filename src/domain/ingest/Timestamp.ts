import { daysFromCivil } from "../CivilDate.ts"
import { dayMillis } from "../Durations.ts"

const iso = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/i

/** Numbers below this are epoch seconds, others epoch ms. */
const firstMilliseconds = 1e12

/** Numbers above this are no instant of the ECMAScript calendar. */
const lastInstant = 8.64e15

const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

const isDate = (year: number, month: number, date: number): boolean => {
  const isLeap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return date >= 1 && date <= (monthLengths[month - 1] ?? 0) + (isLeap ? 1 : 0)
}

/** The number that two digits spell; NaN for anything else. */
const twoDigits = (text: string, at: number): number => {
  const tens = text.charCodeAt(at) - 48
  const ones = text.charCodeAt(at + 1) - 48
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}

/** Fast path for the form that clients print, `2026-11-20T10:00:00.250Z`; NaN for any other form. */
const instantOfPrinted = (text: string): number => {
  if (text.length !== 24 || text.charCodeAt(23) !== 90 || text.charCodeAt(10) !== 84) return Number.NaN
  if (text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45 || text.charCodeAt(19) !== 46) return Number.NaN
  if (text.charCodeAt(13) !== 58 || text.charCodeAt(16) !== 58) return Number.NaN
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2)
  const month = twoDigits(text, 5)
  const date = twoDigits(text, 8)
  const hour = twoDigits(text, 11)
  const minute = twoDigits(text, 14)
  const second = twoDigits(text, 17)
  const milliseconds = twoDigits(text, 20) * 10 + (twoDigits(text, 21) % 10)
  const isClock = hour <= 23 && minute <= 59 && second <= 59
  if (!isClock || !isDate(year, month, date)) return Number.NaN
  return daysFromCivil(year, month, date) * dayMillis + ((hour * 60 + minute) * 60 + second) * 1000 + milliseconds
}

const instantOfText = (text: string): number | null => {
  const printed = instantOfPrinted(text)
  if (!Number.isNaN(printed)) return printed
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
 * The instant (epoch ms) of an ISO 8601 text with an offset, or of a number of epoch ms (seconds below 10^12). Null for
 * anything else.
 */
export const instantOf = (value: unknown): number | null =>
  typeof value === "number" ? instantOfNumber(value) : typeof value === "string" ? instantOfText(value) : null
