import { LruCache, mebibyte } from "../LruCache.ts"

/** Milliseconds in which lines that say the same are written once. */
const quietMillis = 60_000

interface Line {
  /** Epoch milliseconds. */
  readonly writtenAt: number
  /** Lines that said the same since then. */
  readonly leftOut: number
}

const lineBytes = 16

/**
 * Which lines of a log are worth writing: what fails every second for hours, as all work does on a full disk, would bury all else, and fill
 * that disk. Forgets the lines that were said the longest ago, so that they are written once more.
 */
export class RepeatedLines {
  private readonly lines = new LruCache<Line>(1 * mebibyte, () => lineBytes)

  /** How many lines that said the same were left out since the last that was written; null where this one is to be left out, too. */
  leftOutBefore(line: string, now: number): number | null {
    const last = this.lines.get(line)
    const isRecent = last !== undefined && now >= last.writtenAt && now < last.writtenAt + quietMillis
    this.lines.set(line, isRecent ? { ...last, leftOut: last.leftOut + 1 } : { writtenAt: now, leftOut: 0 })
    return isRecent ? null : (last?.leftOut ?? 0)
  }
}
