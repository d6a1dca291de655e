/** Counts the changes of one thing while the process runs. What was read of the thing is true until the count advances. */
export class Version {
  private changes = 0
  private readonly isFresh: () => boolean

  /** `isFresh` says whether all changes have been heard of: while they may not have, nothing that is read is true for longer than the reading. */
  constructor(isFresh: () => boolean = () => true) {
    this.isFresh = isFresh
  }

  get current(): number {
    if (!this.isFresh()) this.changes++
    return this.changes
  }

  /** Ends everything that was read before. To be called once a change is committed, before it is acknowledged. */
  advance(): void {
    this.changes++
  }

  /** The validity of what is read from now on. To be taken before reading: a change during the read then ends it. */
  validity(): Validity {
    return new Validity([{ version: this, count: this.changes }], Infinity)
  }
}

interface SeenVersion {
  readonly version: Version
  readonly count: number
}

/** What an answer rests on and until when: it may be given again while none of its versions has advanced and its time has not come. */
export class Validity {
  /** Epoch milliseconds from which the answer has to be made anew; `Infinity` where only a change ends it. */
  readonly until: number
  private readonly seen: ReadonlyArray<SeenVersion>

  constructor(seen: ReadonlyArray<SeenVersion>, until: number) {
    this.seen = seen
    this.until = until
  }

  /** The validity of an answer made from two others: it ends with the first of them. */
  and(other: Validity): Validity {
    return new Validity([...this.seen, ...other.seen], Math.min(this.until, other.until))
  }

  /** The same, ending at `until` (epoch milliseconds) at the latest. */
  endingAt(until: number): Validity {
    return new Validity(this.seen, Math.min(this.until, until))
  }

  /** Whether the answer is still true at `now`, in epoch milliseconds. */
  holds(now: number): boolean {
    if (now >= this.until) return false
    for (const { version, count } of this.seen) if (version.current !== count) return false
    return true
  }
}
