import type { ReaderPool } from "./ReaderPool.ts"

/** Milliseconds for which questions wait at most so that those under way may end. */
const patience = 500
/** What a question loses for it at most. While much is written, the next rest is wanted sooner than a long question can end. */
const usual = { patience, mostLost: 5000, mostRests: 1 }
const urgent = { patience, mostLost: Infinity, mostRests: 3 }

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

  /** Tries it, unless a question has worked for long, or anew: that one stops, and begins again, only where it `isUrgent`. */
  request(isUrgent: boolean): void {
    if (this.isUnderWay) return
    this.isUnderWay = true
    const end = () => void (this.isUnderWay = false)
    const work = (resume: () => void) =>
      this.empty(() => {
        end()
        resume()
      })
    this.readers.rest(isUrgent ? urgent : usual, work, end)
  }
}
