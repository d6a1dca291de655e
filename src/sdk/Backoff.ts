const leastMillis = 1000
const mostMillis = 300_000

/**
 * How long to wait after so many failures in a row, in milliseconds: up to a second, doubled with each failure up to five minutes, at random
 * in the upper half of it (`chance` from 0 up to 1), so that clients that failed together do not come back together. Never less than the
 * server asks for.
 */
export const waitMillis = (failures: number, chance: number, retryAfterSeconds: number | null): number => {
  const most = Math.min(mostMillis, leastMillis * 2 ** Math.max(0, Math.min(failures - 1, 20)))
  const jittered = most / 2 + (most / 2) * chance
  return Math.max(jittered, Math.min(mostMillis, (retryAfterSeconds ?? 0) * 1000))
}

/** From one look at what is published to the next: no less than a second, and not in step with others. */
export const pollMillis = (seconds: number, chance: number): number =>
  Math.max(1, seconds) * 1000 * (0.9 + 0.2 * chance)

/** After an answer that a later try hardly changes, such as a revoked key. */
export const refusedWaitMillis = (chance: number): number => mostMillis / 2 + (mostMillis / 2) * chance
