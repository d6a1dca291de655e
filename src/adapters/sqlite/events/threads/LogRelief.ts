import type { ReaderPool } from "./ReaderPool.ts"

/** Milliseconds for which questions wait at most so that those under way may end. */
const patience = 500
/** Milliseconds of work of a question that are lost for it at most, unless it is urgent. */
const mostLost = 5000

/**
 * Has the readers rest for a moment while the writer empties its log. As long as somebody reads at every moment, SQLite cannot begin the log anew: it
 * grows with each commit, and an erasure waits for ever.
 */
export class LogRelief {
  private readonly readers: Pick<ReaderPool, "rest">
  private readonly empty: (done: () => void) => void
  private isUnderWay = false

  /** `empty` has the writer try. */
  constructor(readers: Pick<ReaderPool, "rest">, empty: (done: () => void) => void) {
    this.readers = readers
    this.empty = empty
  }

  /** Tries it, unless a question has worked for long: that one stops, and begins again, only where it `isUrgent`. */
  request(isUrgent: boolean): void {
    if (this.isUnderWay) return
    this.isUnderWay = true
    const end = () => void (this.isUnderWay = false)
    const work = (resume: () => void) =>
      this.empty(() => {
        end()
        resume()
      })
    this.readers.rest({ patience, mostLost: isUrgent ? Infinity : mostLost }, work, end)
  }
}
