/** After a backup that failed, the next one is tried no sooner (milliseconds). */
const retryMillis = 60 * 60_000

/**
 * Whether a backup is due: the newest one is older than the interval, or there is none, and the last attempt in this process (null: none)
 * is not just over. All instants and lengths in milliseconds.
 */
export const isBackupDue = (now: number, newest: number | null, attempted: number | null, interval: number): boolean =>
  (newest === null || now - newest >= interval) &&
  (attempted === null || now - attempted >= Math.min(retryMillis, interval))
