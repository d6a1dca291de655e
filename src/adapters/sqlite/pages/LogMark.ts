import type { LogState, Salts } from "./WriteAheadLog.ts"

/** How far a write-ahead log is known to reach. Null when everything is in the database file. */
export type LogMark = { readonly salts: Salts; readonly frames: number } | null

/** What is missing from a log that reached as far as the mark; null when nothing is. */
export const missingFrom = (log: LogState, mark: LogMark): string | null => {
  if (mark === null) return null
  if (log.salts === null) return `its ${mark.frames} frames are gone`
  const age = (log.salts[0] - mark.salts[0]) >>> 0
  if (age !== 0) return age < 2 ** 31 ? null : "it is older than the database"
  if (log.salts[1] !== mark.salts[1]) return "it belongs to another database"
  return log.frames < mark.frames ? `of ${mark.frames} frames, only the first ${log.frames} can be read` : null
}

const isSameLog = (one: Salts, other: Salts): boolean => one[0] === other[0] && one[1] === other[1]

/** Whether a mark is in the same log as another and not behind it. */
export const isWithin = (mark: LogMark, end: LogMark): boolean =>
  mark !== null && end !== null && isSameLog(mark.salts, end.salts) && mark.frames <= end.frames
