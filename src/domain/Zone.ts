import { Option } from "effect"
import { daysFromCivil } from "./CivilDate.ts"
import { dayMillis } from "./Durations.ts"

/** A named time zone. Offsets are local time minus UTC, in milliseconds. */
export interface Zone {
  readonly name: string
  /** The offset at an instant (epoch ms). */
  readonly offsetAt: (instant: number) => number
  /**
   * The first change of the offset in (after, until]; null if there is none. At most one change per UTC day is found.
   */
  readonly transitionIn: (after: number, until: number) => number | null
}

const rawOffset = (format: Intl.DateTimeFormat, instant: number): number => {
  const field: Record<string, number> = {}
  for (const part of format.formatToParts(instant)) field[part.type] = Number(part.value)
  const days = daysFromCivil(field["year"] ?? 0, field["month"] ?? 1, field["day"] ?? 1)
  const seconds = (field["hour"] ?? 0) * 3600 + (field["minute"] ?? 0) * 60 + (field["second"] ?? 0)
  return days * dayMillis + seconds * 1000 - Math.floor(instant / 1000) * 1000
}

const firstChange = (format: Intl.DateTimeFormat, from: number, to: number): number => {
  const before = rawOffset(format, from)
  let low = from / 1000
  let high = to / 1000
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (rawOffset(format, middle * 1000) === before) low = middle
    else high = middle
  }
  return high * 1000
}

const build = (name: string, format: Intl.DateTimeFormat): Zone => {
  const atDay = new Map<number, number>()
  const changes = new Map<number, number>()
  const dayOffset = (index: number): number => {
    const known = atDay.get(index)
    if (known !== undefined) return known
    const offset = rawOffset(format, index * dayMillis)
    atDay.set(index, offset)
    return offset
  }
  const changeOn = (index: number): number | null => {
    if (dayOffset(index) === dayOffset(index + 1)) return null
    const known = changes.get(index)
    if (known !== undefined) return known
    const change = firstChange(format, index * dayMillis, (index + 1) * dayMillis)
    changes.set(index, change)
    return change
  }
  const offsetAt = (instant: number): number => {
    const index = Math.floor(instant / dayMillis)
    const change = changeOn(index)
    return change === null || instant < change ? dayOffset(index) : dayOffset(index + 1)
  }
  const transitionIn = (after: number, until: number): number | null => {
    for (let index = Math.floor(after / dayMillis); index * dayMillis <= until; index++) {
      const change = changeOn(index)
      if (change !== null && change > after && change <= until) return change
    }
    return null
  }
  return { name, offsetAt, transitionIn }
}

const open = Option.liftThrowable((name: string): Zone =>
  build(
    name,
    new Intl.DateTimeFormat("en-US", {
      timeZone: name,
      calendar: "iso8601",
      numberingSystem: "latn",
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric"
    })
  )
)

const zones = new Map<string, Zone>()

/**
 * The zone of an IANA name; none for an unknown name. Zones and computed offsets are cached for the life of the
 * process.
 */
export const zoneNamed = (name: string): Option.Option<Zone> => {
  const known = zones.get(name)
  if (known !== undefined) return Option.some(known)
  const opened = open(name)
  if (Option.isSome(opened)) zones.set(name, opened.value)
  return opened
}

/**
 * The earliest instant (epoch ms) at which the zone's wall clock shows `local`, given in ms as if it were UTC. A time
 * skipped by a clock change becomes the instant of the change.
 */
export const instantOfLocal = (zone: Zone, local: number): number => {
  const before = zone.offsetAt(local - dayMillis)
  const after = zone.offsetAt(local + dayMillis)
  const early = local - before
  if (before === after || zone.offsetAt(early) === before) return early
  const late = local - after
  if (zone.offsetAt(late) === after) return late
  return zone.transitionIn(late, early) ?? late
}
