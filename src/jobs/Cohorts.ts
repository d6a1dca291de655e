import { Effect, Layer } from "effect"
import { CohortQueue, concurrency } from "../services/cohorts/CohortQueue.ts"
import { CohortRuns } from "../services/cohorts/CohortRuns.ts"
import { CohortWatch } from "../services/cohorts/CohortWatch.ts"
import { Tracing } from "../services/operations/Tracing.ts"
import { repeatAtIntervals, repeatInBackground } from "./BackgroundLoop.ts"

/** What is due by the clock alone is found this late at most. */
const lookEvery = "5 seconds"
/** Markers that arrive so soon after each other make a cohort be computed once. */
const gatherFor = "10 seconds"

/**
 * Computes the cohorts that are due, a few at a time, for as long as the layer lives. A computation that the layer's end cuts off begins
 * anew at the next start.
 */
export const CohortsJob = Layer.scopedDiscard(
  Effect.gen(function* () {
    const tracing = yield* Tracing
    const runs = yield* CohortRuns
    const queue = yield* CohortQueue
    const watch = yield* CohortWatch
    const drained = Effect.repeat(tracing.working("The computation of cohorts", runs.runNext()), {
      while: (ran) => ran
    })
    const turn = Effect.raceFirst(queue.requested, Effect.sleep(lookEvery))
    const worker = repeatInBackground("The computation of cohorts", Effect.zipRight(drained, turn))
    const gathered = Effect.delay(tracing.working("The watch for markers of cohorts", queue.notice()), gatherFor)
    yield* queue.recover()
    yield* Effect.forEach(Array.from({ length: concurrency }), () => worker, { discard: true })
    yield* repeatAtIntervals("The claims of cohorts", { first: "5 seconds", interval: "5 seconds" }, runs.renew())
    yield* repeatInBackground("The watch for markers of cohorts", Effect.zipRight(watch.requested, gathered))
  })
)
