import { Effect, Layer } from "effect"
import { concurrency, ExecutionRuns } from "../services/analytics/ExecutionRuns.ts"

const pause = "1 second"
const sweepEvery = "1 hour"

/** Whatever goes wrong in one round is logged, and the next begins a moment later. */
const sturdy = <A, E, R>(round: Effect.Effect<A, E, R>) =>
  Effect.catchAllCause(Effect.asVoid(round), (cause) =>
    Effect.zipRight(Effect.logError("Executions paused", cause), Effect.sleep(pause))
  )

/** Runs the executions that wait, a few at a time, for as long as the layer lives; what then still runs is run again next time. */
export const QueryExecutions = Layer.scopedDiscard(
  Effect.gen(function* () {
    const runs = yield* ExecutionRuns
    const drained = Effect.repeat(runs.runNext(), { while: (ran) => ran })
    const worker = Effect.forever(sturdy(Effect.zipRight(drained, runs.rung)))
    yield* runs.recover()
    yield* Effect.forEach(Array.from({ length: concurrency }), () => Effect.forkScoped(worker), { discard: true })
    yield* Effect.forkScoped(Effect.forever(Effect.delay(sturdy(runs.sweep()), sweepEvery)))
  })
)
