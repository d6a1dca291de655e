/** Pages of 8 KiB in the log: 64 MiB are long, since SQLite keeps so much of an emptied one. */
const longFrames = 8192
/** 1 GiB of disk, which a start has to read as well. */
const urgentFrames = 16 * longFrames

/** Tells when readers keep the write-ahead log from being begun anew, so that it grows with each commit. */
export class LongLog {
  private readonly tell: (isUrgent: boolean) => void
  private readonly longFrames: number
  private next: number

  constructor(tell: (isUrgent: boolean) => void, long = longFrames) {
    this.tell = tell
    this.longFrames = long
    this.next = long
  }

  /** Call it with the length of the log after commits. Tells again each time that the log has grown by half of what is long. */
  look(frames: number): void {
    if (frames < this.longFrames) this.next = this.longFrames
    if (frames < this.next) return
    const isUrgent = frames >= urgentFrames
    // Where stopping the questions does not help, somebody else reads: they are stopped less and less often.
    this.next = isUrgent ? 2 * frames : frames + this.longFrames / 2
    this.tell(isUrgent)
  }
}
