import type { TimeSpan } from "../../../../domain/analytics/time/Buckets.ts"
import { dayMillis, hourMillis } from "../../../../domain/Durations.ts"
import { firstPlace } from "../../../../domain/FirstPlace.ts"
import { type ActiveDay, hoursOfUnit, hoursPerDay } from "../format/ActiveDay.ts"
import type { ColumnCache } from "./ColumnCache.ts"
import type { StampedDay, StoredActivity } from "./StoredActivity.ts"

const everyHour = 2 ** hoursPerDay - 1

const isWholeHour = (instant: number): boolean => !Number.isFinite(instant) || instant % hourMillis === 0

/** Which units of one environment have sealed markers in which hours. */
export class Activity {
  /** Every marker type that was ever sealed. */
  readonly types: ReadonlyArray<string>
  /**
   * Epoch ms from which activity and segments agree. Before it, markers that activity still shows may be gone or past
   * retention.
   */
  readonly completeFrom: number
  private readonly environmentId: number
  private readonly stored: StoredActivity
  private readonly cache: ColumnCache

  /** From `keptFrom` on no marker is past retention. */
  constructor(
    environmentId: number,
    types: ReadonlyArray<string>,
    stored: StoredActivity,
    cache: ColumnCache,
    keptFrom: number
  ) {
    this.environmentId = environmentId
    this.types = types
    this.stored = stored
    this.cache = cache
    this.completeFrom = Math.ceil(Math.max(stored.completeFrom(environmentId), keptFrom) / hourMillis) * hourMillis
  }

  /**
   * Sets the bits in `into` of all units active in the range. Answers false where hours cannot tell, and the caller
   * must read segments.
   */
  unite({ from, to }: TimeSpan, into: Uint32Array): boolean {
    if (from >= to) return true
    if (!isWholeHour(from) || !isWholeHour(to)) return false
    for (const each of this.days(from, to)) {
      const units = this.read(each)
      if (units === undefined) return false
      setBits(units, hoursOf(each.day, from, to), into)
    }
    return true
  }

  /**
   * Tells whether a unit may have sealed markers from one instant to another (epoch ms, both included): false only where it has none. What
   * is known of a day is asked for once.
   */
  ofUnit(unit: number): (first: number, last: number) => boolean {
    const days = this.days(-Infinity, Infinity)
    const known = new Map<StampedDay, number>()
    const hoursOn = (each: StampedDay): number => {
      const hours = known.get(each) ?? this.hoursOfUnit(each, unit) ?? everyHour
      known.set(each, hours)
      return hours
    }
    return (first, last) => {
      const from = Math.floor(first / hourMillis) * hourMillis
      const to = (Math.floor(last / hourMillis) + 1) * hourMillis
      const firstDay = Math.floor(from / dayMillis)
      const begin = firstPlace(days.length, (at) => days[at]!.day >= firstDay)
      for (let at = begin; at < days.length && days[at]!.day * dayMillis < to; at++)
        if ((hoursOn(days[at]!) & hoursOf(days[at]!.day, from, to)) !== 0) return true
      return false
    }
  }

  private days(from: number, to: number): ReadonlyArray<StampedDay> {
    return this.stored.days(this.environmentId, Math.floor(from / dayMillis), Math.ceil(to / dayMillis) - 1)
  }

  private read(each: StampedDay): ActiveDay | undefined {
    const known = this.cached(each)
    if (known !== undefined) return known
    const units = this.stored.read(this.environmentId, each.day)
    if (units !== undefined) this.cache.set(this.keyOf(each), units)
    return units
  }

  /** The first question about a unit decodes who was active on the day. From the second on the whole day is kept. */
  private hoursOfUnit(each: StampedDay, unit: number): number | undefined {
    if (this.cached(each) === undefined && !this.cache.isWantedAgain(this.keyOf(each)))
      return this.stored.hoursOfUnit(this.environmentId, each.day, unit)
    const units = this.read(each)
    return units === undefined ? undefined : hoursOfUnit(units, unit)
  }

  private cached(each: StampedDay): ActiveDay | undefined {
    const known = this.cache.get(this.keyOf(each))
    return known instanceof Uint32Array ? known : undefined
  }

  private keyOf({ day, stamp }: StampedDay): string {
    return `activity ${this.environmentId} ${day} ${stamp}`
  }
}

/** One bit for each hour of the day that lies in the range. */
const hoursOf = (day: number, from: number, to: number): number => {
  const first = Math.max(0, from / hourMillis - day * hoursPerDay)
  const end = Math.min(hoursPerDay, to / hourMillis - day * hoursPerDay)
  return 2 ** end - 2 ** first
}

const setBits = (units: ActiveDay, hours: number, into: Uint32Array): void => {
  for (let at = 0; at < units.length; at += 2) {
    const unit = units[at]!
    if ((units[at + 1]! & hours) !== 0) into[unit >>> 5]! |= 1 << (unit & 31)
  }
}
