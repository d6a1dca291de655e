import { Cause, type Duration, Effect, Option } from "effect"
import { Metrics } from "../services/operations/Metrics.ts"
import { Tracing } from "../services/operations/Tracing.ts"

/** Runs a round. A failure of any kind is logged under the name and waited out for a second, so that the next round can begin. */
const logAndRetry = <A, E, R>(name: string, round: Effect.Effect<A, E, R>) =>
  Effect.catchAllCause(Effect.asVoid(round), (cause) =>
    Effect.zipRight(Effect.logError(`${name} failed, and is tried again`, cause), Effect.sleep("1 second"))
  )

/** Runs round after round in the background until the scope closes. A round itself waits until there is something to do. */
export const repeatInBackground = <A, E, R>(name: string, round: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Metrics, ({ counted }) => Effect.forkScoped(Effect.forever(logAndRetry(name, counted(name, round)))))

export interface Timing {
  /** From the start to the first round. */
  readonly first: Duration.DurationInput
  /** From the end of one round to the beginning of the next, whether it failed or not. */
  readonly interval: Duration.DurationInput
}

/** Nothing is known of what the failure says. */
const unsaid = () => null

/**
 * Runs a round at intervals in the background until the scope closes. A failure of any kind is logged under the name: in the words that `said`
 * finds for it, or with its cause.
 */
export const repeatAtIntervals = <A, E, R>(
  name: string,
  timing: Timing,
  round: Effect.Effect<A, E, R>,
  said: (error: E) => string | null = unsaid
) => {
  const told = (cause: Cause.Cause<E>) =>
    Option.match(Option.flatMapNullable(Cause.failureOption(cause), said), {
      onNone: () => Effect.logError(`${name} failed`, cause),
      onSome: (words) => Effect.logError(`${name} failed: ${words}`)
    })
  const logged = <S>(timed: Effect.Effect<A, E, S>) => Effect.catchAllCause(Effect.asVoid(timed), told)
  return Effect.flatMap(Effect.all([Metrics, Tracing]), ([metrics, tracing]) => {
    const traced = tracing.working(name, metrics.timed(name, round))
    const rounds = Effect.forever(Effect.zipRight(logged(traced), Effect.sleep(timing.interval)))
    return Effect.forkScoped(Effect.delay(rounds, timing.first))
  })
}
