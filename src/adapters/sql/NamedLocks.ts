import { Effect, FiberRef } from "effect"

const none: ReadonlyArray<string> = []

/** The locks that a transaction which begins now is to hold; none: it is to be alone. */
export const namedLocks = FiberRef.unsafeMake(none)

/** Begins a transaction with locks of these names; what runs in it begins its own without. */
export const withNamedLocks = <A, E, R, E2>(
  locks: ReadonlyArray<string>,
  begin: (effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | E2, R>,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | E2, R> => Effect.locally(begin(Effect.locally(effect, namedLocks, none)), namedLocks, locks)
