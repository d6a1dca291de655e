/** A task for game servers of the older generation: to fetch the changed configuration. Instants are epoch ms. */
export interface GameJob {
  /** Higher than that of every earlier job. */
  readonly id: number
  /** Identifies what the job delivers. */
  readonly digest: string
  readonly queuedAt: number
  readonly startedAt: number | null
  readonly completedAt: number | null
  /** The outcome that the game server reported. */
  readonly status: string | null
  /** The whole report of the outcome, as JSON. */
  readonly result: string | null
}

/** How long a started job may take before it is offered again, in milliseconds. */
const retryAfterMillis = 60_000

/**
 * Whether the job is to be given to game servers at `now`: it was never started, or was started long ago and never
 * completed.
 */
export const isWaiting = ({ startedAt, completedAt }: GameJob, now: number): boolean =>
  completedAt === null && (startedAt === null || now - startedAt >= retryAfterMillis)
