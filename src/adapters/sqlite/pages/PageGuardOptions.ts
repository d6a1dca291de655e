export interface PageGuardOptions {
  /** Tables whose rows have checksums of their own, so that damage in their leaves is found when they are read. */
  readonly selfChecking: ReadonlyArray<string>
  /** Called with what the operator must know although work goes on. */
  readonly onDamage: (message: string) => void
  /**
   * Called after a commit that makes the log long, where another thread brings it into the file: see `hold` and `checkpoint`. Without it
   * the commit waits for that.
   */
  readonly onLongLog?: () => void
  /** Frames in the log from which it is brought into the file; 1,000 unless said, as SQLite does. */
  readonly longLogFrames?: number
}
