/** What game servers of the older generation are asked to do: take the configuration that has changed. Instants are UTC epoch milliseconds. */
export interface GameJob {
  /** Higher than that of every job before it. */
  readonly id: number
  /** Stands for what it delivers. */
  readonly digest: string
  readonly queuedAt: number
  readonly startedAt: number | null
  readonly completedAt: number | null
  /** What the game server said of its end. */
  readonly status: string | null
  /** The same in full, as JSON. */
  readonly result: string | null
}

/** How long a started job may take before it is offered again, in milliseconds. */
const retryAfterMillis = 60_000

/** Whether game servers that ask are to be given the job. One that was started and never completed comes back. */
export const isWaiting = ({ startedAt, completedAt }: GameJob, now: number): boolean =>
  completedAt === null && (startedAt === null || now - startedAt >= retryAfterMillis)
