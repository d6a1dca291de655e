/** Each attempt to empty the log waits for the disk, as commits do meanwhile. */
const againMillis = 20
/** Attempts while the readers rest: a thread that seals may read for a moment, or one that was stopped may not have ended yet. */
const restAttempts = 5
/** Attempts after which the readers are asked for a rest, and then again each time that it took twice as many. */
const heldAttempts = 50
/** A minute of attempts, after which questions have to stop for it. */
const urgentAttempts = 64 * heldAttempts

type OnEmptied = (ended: "Done" | { readonly failure: string }) => void

/**
 * Empties the write-ahead log for whoever may answer only once it is empty. A reader in the middle of a question prevents it, maybe for long, so
 * that it is tried again after a while, by no job: sealing, and all that was asked for later, goes on meanwhile.
 */
export class LogEmptying {
  private readonly empty: () => boolean
  private readonly onHeld: (isUrgent: boolean) => void
  private waiting: Array<OnEmptied> = []
  private again: NodeJS.Timeout | undefined
  private attempts = 0
  private nextHeld = heldAttempts

  /** `empty` answers false while somebody reads an older version of the database. `onHeld` is called where that goes on. */
  constructor(empty: () => boolean, onHeld: (isUrgent: boolean) => void = () => undefined) {
    this.empty = empty
    this.onHeld = onHeld
  }

  /** Calls `onEmptied` when the log holds nothing of now any more, or with why it cannot be emptied. */
  request(onEmptied: OnEmptied): void {
    this.waiting.push(onEmptied)
    if (this.again === undefined) this.attempt()
  }

  /** The last attempt, before the file is closed. */
  close(): void {
    clearTimeout(this.again)
    if (this.waiting.length === 0) return
    this.attempt()
    clearTimeout(this.again)
    this.settle({ failure: "The file was closed while somebody read what was to be removed from its log" })
  }

  /** Tries it a few times, also where nobody waits, while the readers rest until `onTried` is called. */
  attemptInRest(onTried: () => void, attempts = restAttempts): void {
    if (this.attempt() || attempts === 1) return onTried()
    setTimeout(() => this.attemptInRest(onTried, attempts - 1), againMillis)
  }

  /** Answers whether nothing is left to try. */
  private attempt(): boolean {
    clearTimeout(this.again)
    this.again = undefined
    try {
      const isEmpty = this.empty()
      if (isEmpty) this.settle("Done")
      else if (this.waiting.length > 0) this.wait()
      return isEmpty
    } catch (cause) {
      this.settle({ failure: String(cause) })
      return true
    }
  }

  private wait(): void {
    this.again = setTimeout(() => this.attempt(), againMillis)
    this.attempts++
    if (this.attempts < this.nextHeld) return
    this.nextHeld = 2 * this.attempts
    this.onHeld(this.attempts >= urgentAttempts)
  }

  private settle(ended: Parameters<OnEmptied>[0]): void {
    this.attempts = 0
    this.nextHeld = heldAttempts
    for (const onEmptied of this.waiting.splice(0)) onEmptied(ended)
  }
}
