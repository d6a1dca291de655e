import { Effect } from "effect"

/**
 * A write in one piece: once begun it runs to its end, also where the caller hangs up meanwhile. No transaction spans both files, so
 * every function that writes into both is wrapped in it; `test/whole.test.ts` finds those that are not.
 */
export const whole = <A, E, R>(write: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => Effect.uninterruptible(write)
