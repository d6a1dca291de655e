import { Clock, Effect, Layer, Queue } from "effect"
import { Changes } from "../services/configuration/Changes.ts"
import { ContextProperties } from "../services/game/ContextProperties.ts"
import { ExperimentWrite } from "../services/experiments/ExperimentWrite.ts"

/** What is due is looked for this often at least, should a clock have been set. */
const longest = 60_000
const pause = "1 second"
const writeEvery = "10 seconds"

const sturdy = <A, E, R>(name: string, round: Effect.Effect<A, E, R>) =>
  Effect.catchAllCause(Effect.asVoid(round), (cause) =>
    Effect.zipRight(Effect.logError(`${name} paused`, cause), Effect.sleep(pause))
  )

/** Starts, steps and ends experiments at their time, and makes up for what was due while nothing ran. */
export const ExperimentsJob = Layer.scopedDiscard(
  Effect.gen(function* () {
    const changes = yield* Changes
    const properties = yield* ContextProperties
    const writing = yield* ExperimentWrite
    const bell = yield* Queue.sliding<void>(1)
    yield* changes.listen(({ kind }) => {
      if (kind === "experiments") Queue.unsafeOffer(bell, undefined)
    })
    const round = Effect.gen(function* () {
      const due = yield* writing.settle()
      const wait = Math.max(0, Math.min(due - (yield* Clock.currentTimeMillis), longest))
      yield* Effect.raceFirst(Queue.take(bell), Effect.sleep(wait))
    })
    yield* Effect.forkScoped(Effect.forever(sturdy("The schedule of experiments", round)))
    yield* Effect.forkScoped(
      Effect.forever(sturdy("Context properties", Effect.zipRight(Effect.sleep(writeEvery), properties.flush)))
    )
  })
)
