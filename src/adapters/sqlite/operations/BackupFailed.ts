import { Data, Effect } from "effect"

/** A backup cannot be written, read or restored. `message` is one line for the operator. */
export class BackupFailed extends Data.TaggedError("BackupFailed")<{ readonly message: string }> {}

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** Turns failures into one that says what was attempted. */
export const orFailed =
  (what: string) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, BackupFailed, R> =>
    Effect.mapError(work, (cause) =>
      cause instanceof BackupFailed ? cause : new BackupFailed({ message: `${what}: ${reasonOf(cause)}` })
    )

/** The same for a promise. */
export const attempt = <A>(what: string, work: () => Promise<A>): Effect.Effect<A, BackupFailed> =>
  Effect.tryPromise({ try: work, catch: (cause) => new BackupFailed({ message: `${what}: ${reasonOf(cause)}` }) })
