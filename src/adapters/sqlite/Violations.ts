import { SqlError } from "@effect/sql/SqlError"
import type { Option } from "effect"
import { Effect, Predicate } from "effect"

const isDuplicate = (error: unknown): boolean =>
  error instanceof SqlError &&
  Predicate.hasProperty(error.cause, "code") &&
  error.cause.code === "SQLITE_CONSTRAINT_UNIQUE"

/** Runs a write and answers none if a unique index refuses it. Any other failure is a defect. */
export const noneIfDuplicate = <A, E, R>(write: Effect.Effect<A, E, R>): Effect.Effect<Option.Option<A>, never, R> =>
  Effect.asSome(write).pipe(
    Effect.catchIf(isDuplicate, () => Effect.succeedNone),
    Effect.orDie
  )
