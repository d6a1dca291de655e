import { Cause, Data, Effect } from "effect"
import { reasonOf } from "../../local/ReasonOf.ts"
import { obstacleOf } from "../Obstacle.ts"

/** A backup cannot be written, read or restored. `message` is one line for the operator. */
export class BackupFailed extends Data.TaggedError("BackupFailed")<{ readonly message: string }> {}

/** Turns failures, and what `Effect.try` has caught, into one that says what was attempted. */
export const orFailed =
  (what: string) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, BackupFailed, R> =>
    Effect.mapError(work, (failure) => {
      if (failure instanceof BackupFailed) return failure
      const cause = Cause.isUnknownException(failure) ? failure.error : failure
      return new BackupFailed({ message: `${what}: ${reasonOf(cause)}` })
    })

/** Of a look into a database: SQLite says "attempt to write a readonly database" where it may not make its files beside one that it reads. */
export const orUnreadable =
  (file: string) =>
  <A, R>(work: Effect.Effect<A, Cause.UnknownException, R>): Effect.Effect<A, BackupFailed, R> =>
    Effect.mapError(
      work,
      ({ error }) =>
        new BackupFailed({ message: `${file} cannot be read: ${obstacleOf(file, error) ?? reasonOf(error)}` })
    )

/** Like `orFailed`, for a promise. */
export const attempt = <A>(what: string, work: () => Promise<A>): Effect.Effect<A, BackupFailed> =>
  orFailed(what)(Effect.tryPromise(work))
