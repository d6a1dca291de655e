import { Effect } from "effect"

/**
 * Lets the event loop take a turn, so that requests which arrived meanwhile are handled. `Effect.yieldNow` does not: it lets other
 * fibers run, but no socket is read before all of them have ended or wait.
 */
export const nextTurn: Effect.Effect<void> = Effect.async((resume) => {
  const turn = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(turn))
})
