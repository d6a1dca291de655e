import { closeSync, fdatasync, openSync } from "node:fs"

/** Brings a write-ahead log to the disk without keeping the thread that has written to it, which for a slow disk is 10 ms and more. */
export class LogSync {
  private readonly file: string
  private descriptor: number | null = null
  private commits = 0

  /** `file`: the log, which is there from the first commit until the database is closed. */
  constructor(file: string) {
    this.file = file
  }

  /**
   * Call it after a commit that is in the log and perhaps not on the disk. Calls `done` when it is: with the failure of the disk or null, and
   * whether all that was committed in this way is there by now.
   */
  begin(done: (failure: Error | null, isAll: boolean) => void): void {
    const commit = ++this.commits
    this.descriptor ??= openSync(this.file, "r+")
    fdatasync(this.descriptor, (failure) => done(failure, commit === this.commits))
  }

  close(): void {
    if (this.descriptor !== null) closeSync(this.descriptor)
    this.descriptor = null
  }
}
