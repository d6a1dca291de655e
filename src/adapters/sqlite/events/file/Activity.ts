import type { TimeSpan } from "../../../../domain/analytics/time/Buckets.ts"
import { dayMillis, hourMillis } from "../../../../domain/Durations.ts"
import { type ActiveDay, hoursPerDay } from "../format/ActiveDay.ts"
import type { ColumnCache } from "./ColumnCache.ts"
import type { StoredActivity } from "./StoredActivity.ts"

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
    for (const { day, stamp } of this.days(from, to)) {
      const units = this.read(day, stamp)
      if (units === undefined) return false
      setBits(units, hoursOf(day, from, to), into)
    }
    return true
  }

  private days(from: number, to: number) {
    return this.stored.days(this.environmentId, Math.floor(from / dayMillis), Math.ceil(to / dayMillis) - 1)
  }

  private read(day: number, stamp: number): ActiveDay | undefined {
    const key = `activity ${this.environmentId} ${day} ${stamp}`
    const known = this.cache.get(key)
    if (known instanceof Uint32Array) return known
    const units = this.stored.read(this.environmentId, day)
    if (units !== undefined) this.cache.set(key, units)
    return units
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
