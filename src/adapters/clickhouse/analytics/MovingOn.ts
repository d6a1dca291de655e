import { Cause, Effect } from "effect"

const reasonOf = (cause: Cause.Cause<unknown>): string => {
  const failure = Cause.squash(cause)
  return failure instanceof Error ? failure.message : String(failure)
}

/**
 * Moves what waits each second, and after ten where one of the databases does not take part. That PostgreSQL went away between two of its
 * statements comes as a defect, which must not end the moving either: markers would wait until somebody asks for them.
 */
export const movingOn = <E, R>(moveWaiting: Effect.Effect<void, E, R>): Effect.Effect<never, never, R> => {
  const round = Effect.catchAllCause(moveWaiting, (cause) =>
    Effect.zipRight(Effect.logWarning("Markers wait for ClickHouse", reasonOf(cause)), Effect.sleep("10 seconds"))
  )
  return Effect.forever(Effect.zipRight(Effect.sleep("1 second"), round))
}
