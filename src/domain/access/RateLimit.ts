import { guesserOf } from "../operations/Network.ts"

/** At most `limit` requests in each window of `windowMillis` milliseconds. */
export interface Limit {
  readonly limit: number
  readonly windowMillis: number
}

/** Requests counted in the window that began at `startedAt` (epoch ms). */
export interface RateWindow {
  readonly startedAt: number
  readonly count: number
}

export interface RateVerdict {
  readonly allowed: boolean
  readonly window: RateWindow
  readonly remaining: number
  /** Milliseconds until the window ends. */
  readonly resetMillis: number
}

/** Counts a request in a fixed window, which also ends where the clock was set back. A refused request is not counted. */
export const take = ({ limit, windowMillis }: Limit, previous: RateWindow | undefined, now: number): RateVerdict => {
  const passed = previous === undefined ? Infinity : now - previous.startedAt
  const current =
    previous !== undefined && passed >= 0 && passed < windowMillis ? previous : { startedAt: now, count: 0 }
  const allowed = current.count < limit
  const window = allowed ? { ...current, count: current.count + 1 } : current
  return { allowed, window, remaining: limit - window.count, resetMillis: window.startedAt + windowMillis - now }
}

/** Failed attempts since the last success; instants in epoch ms. */
export interface Failures {
  readonly count: number
  readonly lastAt: number
  /** Attempts before this instant are refused unheard. */
  readonly heardFrom: number
}

/**
 * Whose failures are counted together: an account, or an address, which is allowed more since many people may share it.
 */
export interface Guesser {
  readonly key: string
  /** The number of failures from which on each is followed by a wait. */
  readonly free: number
}

/** Counts failures by the account whose password is guessed: 5 before the first wait. */
export const guessedAccount = (name: string): Guesser => ({ key: `account ${name}`, free: 5 })
/** An account as one browser guesses at it that holds a session of the account. */
export const guessedFrom = (name: string, browserId: number): Guesser => ({
  key: `account ${name} in browser ${browserId}`,
  free: 5
})
/** Counts failures by the account whose second factor is guessed, by somebody who knows its password: 5 before the first wait. */
export const guessedCode = (userId: string): Guesser => ({ key: `code of ${userId}`, free: 5 })
/** Counts failures by the caller's address, of one of IPv6 by its first 64 bits: 50 before the first wait. */
export const guessingAddress = (address: string): Guesser => ({ key: `address ${guesserOf(address)}`, free: 50 })

const maxWaitMillis = 15 * 60_000
/** Milliseconds after which failures count no more. */
export const forgottenMillis = 60 * 60_000

/**
 * Counts a failure. The one that is number `free` is followed by a wait of 1 second, and each further one doubles it, up to 15 minutes; an
 * hour without failures resets the count.
 */
export const failed = (previous: Failures | undefined, free: number, now: number): Failures => {
  const known = previous !== undefined && now - previous.lastAt < forgottenMillis ? previous.count : 0
  const count = known + 1
  const wait = count < free ? 0 : Math.min(maxWaitMillis, 1000 * 2 ** Math.min(20, count - free))
  return { count, lastAt: now, heardFrom: now + wait }
}

/**
 * Milliseconds to wait before the next attempt; 0 if it may come now. Failures from a time that is far ahead do not count: the clock was
 * set back. Clocks of several processes differ by less.
 */
export const waitMillis = (failures: Failures | undefined, now: number): number =>
  failures === undefined || failures.lastAt - now > maxWaitMillis ? 0 : Math.max(0, failures.heardFrom - now)
