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

/** Failed attempts since the last success, and instants in epoch milliseconds. */
export interface Failures {
  readonly count: number
  readonly lastAt: number
  /** No further attempt is heard before. */
  readonly heardFrom: number
}

/** Who guesses: an account has few failures free, an address that many people may share has more. */
export interface Guesser {
  readonly key: string
  /** Failures before the first wait. */
  readonly free: number
}

export const guessedAccount = (name: string): Guesser => ({ key: `account ${name}`, free: 5 })
export const guessingAddress = (address: string): Guesser => ({ key: `address ${address}`, free: 50 })

const maxWaitMillis = 15 * 60_000
const forgottenMs = 60 * 60_000

/** Past the free failures each further one doubles the wait, from one second to a quarter of an hour. An hour without one forgets all. */
export const failed = (previous: Failures | undefined, free: number, now: number): Failures => {
  const known = previous !== undefined && now - previous.lastAt < forgottenMs ? previous.count : 0
  const count = known + 1
  const wait = count < free ? 0 : Math.min(maxWaitMillis, 1000 * 2 ** Math.min(20, count - free))
  return { count, lastAt: now, heardFrom: now + wait }
}

/** Milliseconds to wait before the next attempt; 0 when it may come now. */
export const waitMs = (failures: Failures | undefined, now: number): number =>
  failures === undefined ? 0 : Math.max(0, failures.heardFrom - now)
