/** Each attempt to empty the log waits for the disk, as commits do meanwhile. */
const againMillis = 20

type OnEmptied = (ended: "Done" | { readonly failure: string }) => void

/**
 * Empties the write-ahead log for whoever may answer only once it is empty. A reader in the middle of a question prevents it, maybe for long, so
 * that it is tried again after a while, by no job: sealing, and all that was asked for later, goes on meanwhile.
 */
export class LogEmptying {
  private readonly empty: () => boolean
  private waiting: Array<OnEmptied> = []
  private again: NodeJS.Timeout | undefined

  /** `empty` answers false while somebody reads an older version of the database. */
  constructor(empty: () => boolean) {
    this.empty = empty
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

  private attempt(): void {
    this.again = undefined
    try {
      if (this.empty()) this.settle("Done")
      else this.again = setTimeout(() => this.attempt(), againMillis)
    } catch (cause) {
      this.settle({ failure: String(cause) })
    }
  }

  private settle(ended: Parameters<OnEmptied>[0]): void {
    for (const onEmptied of this.waiting.splice(0)) onEmptied(ended)
  }
}
