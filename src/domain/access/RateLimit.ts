/** At most `limit` requests in each window of `windowMs` milliseconds. */
export interface Limit {
  readonly limit: number
  readonly windowMs: number
}

/** Requests counted since `startedAt` (epoch milliseconds). */
export interface Window {
  readonly startedAt: number
  readonly count: number
}

export interface Verdict {
  readonly allowed: boolean
  readonly window: Window
  readonly remaining: number
  /** Milliseconds until the window ends. */
  readonly resetMs: number
}

/** Counts one more request against a fixed window. A refused request is not counted. */
export const take = ({ limit, windowMs }: Limit, previous: Window | undefined, now: number): Verdict => {
  const current =
    previous !== undefined && now - previous.startedAt < windowMs ? previous : { startedAt: now, count: 0 }
  const allowed = current.count < limit
  const window = allowed ? { ...current, count: current.count + 1 } : current
  return { allowed, window, remaining: limit - window.count, resetMs: window.startedAt + windowMs - now }
}

/** Failed attempts in a row and the instant (epoch milliseconds) before which no further one is heard. */
export interface Failures {
  readonly count: number
  readonly heardFrom: number
}

const free = 5
const longestMs = 15 * 60_000

/** After five failures each further one doubles the wait, from one second to a quarter of an hour. */
export const failed = (previous: Failures | undefined, now: number): Failures => {
  const count = (previous?.count ?? 0) + 1
  const wait = count < free ? 0 : Math.min(longestMs, 1000 * 2 ** Math.min(20, count - free))
  return { count, heardFrom: now + wait }
}

/** Milliseconds to wait before the next attempt; 0 when it may come now. */
export const waitMs = (failures: Failures | undefined, now: number): number =>
  failures === undefined ? 0 : Math.max(0, failures.heardFrom - now)
