import { Clock, Effect } from "effect"
import { type Layered, layeredOf, type Running } from "../../domain/experiments/Admission.ts"
import { sharesOf } from "../../domain/experiments/Layer.ts"
import { subjectOf } from "../../domain/experiments/StoredExperiment.ts"
import { runningAt } from "../../domain/game/Running.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { mebibyte, textBytes } from "../../domain/LruCache.ts"
import { ValidCache } from "../../domain/ValidCache.ts"
import type { Validity } from "../../domain/Validity.ts"
import { ExperimentRepo } from "../../ports/experiments/ExperimentRepo.ts"
import { Versions } from "../game/Versions.ts"

/**
 * Experiments that have begun and not ended, by ascending id, and how long that is so. `layered` are those of exclusion layers, and those
 * that have yet to begin as well.
 */
export interface RunningNow {
  readonly running: ReadonlyArray<Running>
  readonly layered: ReadonlyArray<Layered>
  readonly validity: Validity
}

const sizeOf = ({ running, layered }: RunningNow): number => textBytes(JSON.stringify([running, layered]))

/** The running experiments of each environment, kept in memory until one changes or time starts or ends one. */
export class RunningExperiments extends Effect.Service<RunningExperiments>()(
  "services/experiments/RunningExperiments",
  {
    effect: Effect.gen(function* () {
      const versions = yield* Versions
      const experiments = yield* ExperimentRepo
      const cache = new ValidCache<RunningNow, EnvironmentId>(32 * mebibyte, sizeOf)

      const read = Effect.fnUntraced(function* (environmentId: EnvironmentId, now: number) {
        const unchanged = versions.content(environmentId).validity()
        const { running, scheduled, until } = runningAt(yield* experiments.open(environmentId), now)
        const shares = sharesOf(running)
        const found = {
          validity: unchanged.endingAt(until),
          layered: layeredOf([...running, ...scheduled]),
          running: running.map((experiment) => ({
            experiment,
            subject: subjectOf(experiment, shares.get(experiment.id) ?? null)
          }))
        }
        cache.set(environmentId, found, found.validity)
        return found
      })

      /** The running experiments with their validity. */
      const now = Effect.fnUntraced(function* (environmentId: EnvironmentId) {
        const present = yield* Clock.currentTimeMillis
        return cache.get(environmentId, present) ?? (yield* read(environmentId, present))
      })

      /** The running experiments by ascending id. */
      const of = (environmentId: EnvironmentId) => Effect.map(now(environmentId), ({ running }) => running)

      return { now, of } as const
    })
  }
) {}
