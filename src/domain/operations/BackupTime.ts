import { isAhead } from "./Backup.ts"

/** After a backup that failed, the next one is tried no sooner (milliseconds). */
const retryMillis = 60 * 60_000

/** Whether so many milliseconds have passed since an instant; also where it lies ahead, because the clock was wrong and is set back. */
const hasPassed = (since: number | null, now: number, length: number): boolean =>
  since === null || now - since >= length || isAhead(since, now)

/**
 * Whether a backup is due: the newest one is older than the interval, or there is none, and the last attempt in this process (null: none)
 * is not just over. What is dated ahead of the clock counts for nothing. All instants and lengths in milliseconds.
 */
export const isBackupDue = (now: number, newest: number | null, attempted: number | null, interval: number): boolean =>
  hasPassed(newest, now, interval) && hasPassed(attempted, now, Math.min(retryMillis, interval))
