import { Duration, Effect } from "effect"

/**
 * Does the work once, for all who ask at the same time and later. What fails is not kept: the next to ask begins anew, because a file that could
 * not be read while too many were open can be read a moment later. Nor is it kept that the first to ask hung up, as `Effect.cached` would: all
 * who ask later would be interrupted like the first.
 */
export const cachedSuccess = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<Effect.Effect<A, E>, never, R> =>
  Effect.map(Effect.cachedInvalidateWithTTL(work, Duration.infinity), ([kept, forget]) =>
    Effect.tapErrorCause(kept, () => forget)
  )
