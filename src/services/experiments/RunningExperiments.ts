import { Clock, Effect } from "effect"
import { runningAt } from "../../domain/game/Running.ts"
import type { Running } from "../../domain/experiments/Admission.ts"
import { sharesOf } from "../../domain/experiments/Layer.ts"
import { subjectOf } from "../../domain/experiments/StoredExperiment.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { ExperimentRepo } from "../../ports/experiments/ExperimentRepo.ts"
import { Changes } from "../configuration/Changes.ts"

interface Kept {
  readonly version: number
  /** Epoch milliseconds at which time itself changes it. */
  readonly until: number
  readonly running: ReadonlyArray<Running>
}

/** Experiments that have begun and not ended, kept in memory for as long as nothing changes. */
export class RunningExperiments extends Effect.Service<RunningExperiments>()(
  "services/experiments/RunningExperiments",
  {
    effect: Effect.gen(function* () {
      const changes = yield* Changes
      const experiments = yield* ExperimentRepo
      const known = new Map<EnvironmentId, Kept>()

      const read = Effect.fnUntraced(function* (environmentId: EnvironmentId, now: number) {
        const version = changes.version(environmentId)
        const { running, until } = runningAt(yield* experiments.open(environmentId), now)
        const shares = sharesOf(running)
        const kept = {
          version,
          until,
          running: running.map((experiment) => ({
            experiment,
            subject: subjectOf(experiment, shares.get(experiment.id) ?? null)
          }))
        }
        known.set(environmentId, kept)
        return kept
      })

      /** By ascending id, as they are now. */
      const of = Effect.fnUntraced(function* (environmentId: EnvironmentId) {
        const now = yield* Clock.currentTimeMillis
        const kept = known.get(environmentId)
        const isCurrent = kept !== undefined && kept.version === changes.version(environmentId) && now < kept.until
        return (isCurrent ? kept : yield* read(environmentId, now)).running
      })

      return { of } as const
    })
  }
) {}
