import { Clock, Effect, Layer } from "effect"
import { Changes } from "../services/configuration/Changes.ts"
import { ExperimentWrite } from "../services/experiments/ExperimentWrite.ts"
import { makeWakeUp } from "../services/WakeUp.ts"
import { Tracing } from "../services/operations/Tracing.ts"
import { repeatInBackground } from "./BackgroundLoop.ts"

/** What is due is looked for this often at least, should a clock have been set. */
const longestWaitMillis = 60_000

/** Starts, steps and ends experiments at their time, and makes up for what was due while nothing ran. */
export const ExperimentsJob = Layer.scopedDiscard(
  Effect.gen(function* () {
    const tracing = yield* Tracing
    const changes = yield* Changes
    const writing = yield* ExperimentWrite
    const { wakeUp, requested } = yield* makeWakeUp(1)
    yield* changes.listen(({ kind }) => {
      if (kind === "experiments") wakeUp()
    })
    const round = Effect.gen(function* () {
      const due = yield* tracing.working("The schedule of experiments", writing.settle())
      const wait = Math.max(0, Math.min(due - (yield* Clock.currentTimeMillis), longestWaitMillis))
      yield* Effect.raceFirst(requested, Effect.sleep(wait))
    })
    yield* repeatInBackground("The schedule of experiments", round)
  })
)
