import { hourMillis } from "../Durations.ts"

/** How far time is believed to have come. Instants are epoch milliseconds, `uptime` is what runs on whatever anybody does to the clock. */
export interface TrustedTime {
  readonly at: number
  /** Milliseconds of uptime at that moment. */
  readonly uptime: number
  /** The clock is ahead of what uptime allows: since when (uptime), and by how much. */
  readonly ahead: { readonly since: number; readonly by: number } | null
}

/** A clock this many milliseconds ahead is believed at once: clocks run a little faster or slower than uptime. */
const tolerance = 60_000

/** A clock that is further ahead is believed when it has stayed so for this many milliseconds of uptime, as after a long time without power. */
export const believedAfter = 6 * hourMillis

/** Time begins at what was believed last, or with the clock where nothing was (null). */
export const trustedFrom = (last: number | null, clock: number, uptime: number): TrustedTime => ({
  at: Math.min(last ?? clock, clock),
  uptime,
  ahead: null
})

/**
 * What to believe of a clock: never more than uptime allows, so that what is deleted by age stays when the clock is wrong.
 */
export const observe = ({ at, uptime: seen, ahead }: TrustedTime, clock: number, uptime: number): TrustedTime => {
  const allowed = at + Math.max(0, uptime - seen)
  const by = clock - allowed
  if (by <= tolerance) return { at: clock, uptime, ahead: null }
  const isSteady = ahead !== null && Math.abs(by - ahead.by) <= tolerance
  const since = isSteady ? ahead.since : uptime
  if (uptime - since >= believedAfter) return { at: clock, uptime, ahead: null }
  return { at: allowed, uptime, ahead: { since, by } }
}
