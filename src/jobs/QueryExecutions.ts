import { Effect, Layer } from "effect"
import { concurrency, ExecutionRuns } from "../services/analytics/ExecutionRuns.ts"
import { Tracing } from "../services/operations/Tracing.ts"
import { repeatAtIntervals, repeatInBackground } from "./BackgroundLoop.ts"

/**
 * Runs the executions that wait, a few at a time, for as long as the layer lives. One that the layer's end cuts off is run again at the next
 * start, or by another process once this one has ceased to say that it runs.
 */
export const QueryExecutions = Layer.scopedDiscard(
  Effect.gen(function* () {
    const tracing = yield* Tracing
    const runs = yield* ExecutionRuns
    const drained = Effect.repeat(tracing.working("Executions", runs.runNext()), { while: (ran) => ran })
    const worker = repeatInBackground("Executions", Effect.zipRight(drained, runs.requested))
    yield* runs.recover()
    yield* Effect.forEach(Array.from({ length: concurrency }), () => worker, { discard: true })
    const looking = Effect.zipRight(runs.renew(), runs.recover())
    yield* repeatAtIntervals("The claims of executions", { first: "5 seconds", interval: "5 seconds" }, looking)
    yield* repeatAtIntervals("The removal of old executions", { first: "1 hour", interval: "1 hour" }, runs.sweep())
  })
)
