import { Effect, Layer } from "effect"
import { concurrency, CohortRuns } from "../services/CohortRuns.ts"
import { CohortWatch } from "../services/CohortWatch.ts"

const pause = "1 second"
/** What is due by the clock alone is found this late at most. */
const lookEvery = "5 seconds"
/** Markers that arrive within so long of each other make a cohort be computed once. */
const gatherFor = "10 seconds"

/** Whatever goes wrong in one round is logged, and the next begins a moment later. */
const sturdy = <A, E, R>(round: Effect.Effect<A, E, R>) =>
  Effect.catchAllCause(Effect.asVoid(round), (cause) =>
    Effect.zipRight(Effect.logError("Cohorts paused", cause), Effect.sleep(pause))
  )

/** Computes the cohorts that are due, a few at a time, for as long as the layer lives. */
export const CohortsJob = Layer.scopedDiscard(
  Effect.gen(function* () {
    const runs = yield* CohortRuns
    const watch = yield* CohortWatch
    const drained = Effect.repeat(runs.runNext(), { while: (ran) => ran })
    const turn = Effect.raceFirst(runs.rung, Effect.sleep(lookEvery))
    const worker = Effect.forever(sturdy(Effect.zipRight(drained, turn)))
    const gathering = Effect.forever(sturdy(Effect.zipRight(watch.rung, Effect.delay(runs.notice(), gatherFor))))
    yield* runs.recover()
    yield* Effect.forEach(Array.from({ length: concurrency }), () => Effect.forkScoped(worker), { discard: true })
    yield* Effect.forkScoped(gathering)
  })
)
