import { Effect } from "effect"
import { closeSync, fdatasync, openSync } from "node:fs"

type Done = (failure: Error | null) => void

/**
 * Brings a write-ahead log to the disk without keeping the thread that has written to it, which for a slow disk is 10 ms and more. Commits
 * that come while it does so wait for the next time, all of them together.
 *
 * A log that a disk has once failed to take is never on disk again: the system forgets what it could not write, so the next `fdatasync`
 * succeeds without it (https://wiki.postgresql.org/wiki/Fsync_Errors), and what stands after a gap in a log is lost.
 */
export class LogSync {
  private readonly file: string
  private descriptor: number | null = null
  private waiting: Array<Done> = []
  private isRunning = false
  private isClosed = false
  private failed: Error | null = null

  /** `file`: the log, which is there from the first commit until the database is closed. */
  constructor(file: string) {
    this.file = file
  }

  /** Why the log cannot be brought to the disk any more; null while it can. */
  get failure(): Error | null {
    return this.failed
  }

  /** Whether something that was committed may not be on the disk yet. */
  get isBehind(): boolean {
    return this.isRunning
  }

  /** Call it after a commit that is in the log and perhaps not on the disk. Calls `done` when it is: with the failure of the disk or null. */
  begin(done: Done): void {
    this.waiting.push(done)
    if (!this.isRunning) this.sync()
  }

  /** Ends when all that was in the log before is on the disk. */
  readonly synced = Effect.async<void, Error>((resume) =>
    this.begin((failure) => resume(failure === null ? Effect.void : Effect.fail(failure)))
  )

  /** Ends what is under way first. */
  close(): void {
    this.isClosed = true
    if (this.isRunning || this.descriptor === null) return
    closeSync(this.descriptor)
    this.descriptor = null
  }

  private sync(): void {
    // What this throws leaves everything to the next call.
    this.descriptor ??= openSync(this.file, "r+")
    const served = this.waiting
    this.waiting = []
    this.isRunning = true
    fdatasync(this.descriptor, (failure) => {
      this.isRunning = false
      this.failed ??= failure
      if (this.waiting.length > 0) this.sync()
      else if (this.isClosed) this.close()
      for (const done of served) done(this.failed)
    })
  }
}
