import { Effect, Layer } from "effect"
import { CohortQueue, concurrency } from "../services/cohorts/CohortQueue.ts"
import { CohortRuns } from "../services/cohorts/CohortRuns.ts"
import { CohortWatch } from "../services/cohorts/CohortWatch.ts"

const pause = "1 second"
/** What is due by the clock alone is found this late at most. */
const lookEvery = "5 seconds"
/** Markers that arrive so soon after each other make a cohort be computed once. */
const gatherFor = "10 seconds"

/** Whatever goes wrong in one round is logged, and the next begins a moment later. */
const sturdy = <A, E, R>(round: Effect.Effect<A, E, R>) =>
  Effect.catchAllCause(Effect.asVoid(round), (cause) =>
    Effect.zipRight(Effect.logError("Cohorts paused", cause), Effect.sleep(pause))
  )

/** Computes the cohorts that are due, a few at a time, for as long as the layer lives; what then is being computed is so again next time. */
export const CohortsJob = Layer.scopedDiscard(
  Effect.gen(function* () {
    const runs = yield* CohortRuns
    const queue = yield* CohortQueue
    const watch = yield* CohortWatch
    const drained = Effect.repeat(runs.runNext(), { while: (ran) => ran })
    const turn = Effect.raceFirst(queue.rung, Effect.sleep(lookEvery))
    const worker = Effect.forever(sturdy(Effect.zipRight(drained, turn)))
    const gathered = Effect.delay(queue.notice(), gatherFor)
    yield* queue.recover()
    yield* Effect.forEach(Array.from({ length: concurrency }), () => Effect.forkScoped(worker), { discard: true })
    yield* Effect.forkScoped(Effect.forever(sturdy(Effect.zipRight(watch.rung, gathered))))
  })
)
