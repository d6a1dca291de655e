import { FastCheck as fc } from "effect"

export type Step = "hour" | "day" | "week" | "month"

/** Days are numbered from 1970-01-01 by the local calendar. */
interface Local {
  readonly day: number
  readonly month: string
  readonly hour: number
  /** Local time minus UTC, in ms. */
  readonly offset: number
}

export const hour = 3_600_000
export const day = 24 * hour

/** Clocks change, and local hours begin, at quarters of an hour only. */
const quarter = hour / 4

const formats = new Map<string, Intl.DateTimeFormat>()
/** By zone and instant. */
const known = new Map<string, Map<number, Local>>()

const formatOf = (zone: string): Intl.DateTimeFormat => {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric"
    })
  formats.set(zone, format)
  return format
}

/** What a clock and a calendar on the wall say, as the platform's own tables of time zones have it. */
const localOf = (zone: string, instant: number): Local => {
  const at = Math.floor(instant / quarter) * quarter
  const knownOfZone = known.get(zone) ?? new Map<number, Local>()
  known.set(zone, knownOfZone)
  const found = knownOfZone.get(at)
  if (found !== undefined) return found
  const parts = new Map(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)])
  )
  const [year, month, date, hours, minutes] = (["year", "month", "day", "hour", "minute"] as const).map(
    (part) => parts.get(part) ?? 0
  )
  const midnight = Date.UTC(year!, month! - 1, date)
  const local = {
    day: midnight / day,
    month: `${year}-${month}`,
    hour: hours!,
    offset: midnight + hours! * hour + minutes! * 60_000 - at
  }
  knownOfZone.set(at, local)
  return local
}

export const dayOf = (zone: string, instant: number): number => localOf(zone, instant).day

/** A name that two instants share if they lie in the same local period. The hour that is repeated in autumn has two names. */
export const periodOf = (zone: string, step: Step, weekStart: number, instant: number): string => {
  const local = localOf(zone, instant)
  if (step === "hour") return `${local.day} ${local.hour} ${local.offset}`
  if (step === "month") return local.month
  if (step === "day") return String(local.day)
  const weekday = new Date(local.day * day).getUTCDay()
  return String(local.day - ((weekday - weekStart + 7) % 7))
}

export interface Period {
  readonly name: string
  /** Epoch ms. */
  readonly start: number
  /** Epoch ms, exclusive. */
  readonly end: number
}

/** The local periods that contain instants of [from, to), found by walking through all quarters of an hour. */
export const periodsOf = (
  zone: string,
  step: Step,
  weekStart: number,
  from: number,
  to: number
): ReadonlyArray<Period> => {
  const nameAt = (at: number) => periodOf(zone, step, weekStart, at)
  const periods: Array<Period> = []
  let start = Math.floor(from / quarter) * quarter
  const first = nameAt(start)
  while (nameAt(start - quarter) === first) start -= quarter
  while (start < to) {
    const name = nameAt(start)
    let end = start
    while (nameAt(end) === name) end += quarter
    periods.push({ name, start, end })
    start = end
  }
  return periods
}

/** Nights in which clocks change: in Berlin, New York and Lord Howe (by half an hour). */
const nights = [
  Date.UTC(2026, 2, 29, 1),
  Date.UTC(2026, 9, 25, 1),
  Date.UTC(2026, 2, 8, 7),
  Date.UTC(2026, 10, 1, 6),
  Date.UTC(2026, 3, 4, 15)
]

const zones = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe"]

/** The length of time in which markers of a question lie, in ms; half of it before the clocks change. */
const spread = { hour: 36 * hour, day: 10 * day, week: 42 * day, month: 120 * day } as const

/** Of a question: `from`, `to` and all markers lie in the same stretch of time, around a night in which clocks change. */
export const times = fc
  .record({
    step: fc.constantFrom("hour" as const, "day" as const, "week" as const, "month" as const),
    zone: fc.constantFrom(...zones),
    night: fc.constantFrom(...nights),
    weekStart: fc.constantFrom(0 as const, 1 as const, 6 as const),
    ends: fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 60 }))
  })
  .map(({ step, zone, night, weekStart, ends: [first, length] }) => {
    const tick = Math.max(quarter, Math.floor(spread[step] / 60 / quarter) * quarter)
    const origin = night - 30 * tick
    return {
      step,
      zone,
      weekStart,
      tick,
      origin,
      from: origin + first * tick,
      to: origin + Math.min(63, first + length) * tick
    }
  })

export type Times = typeof times extends fc.Arbitrary<infer A> ? A : never
