import { Clock, Effect } from "effect"
import { lockOf, openAt } from "../../domain/experiments/StoredExperiment.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { ExperimentRepo } from "../../ports/experiments/ExperimentRepo.ts"

/** What scheduled and running experiments hold of the configurations of an environment. */
export class PathLocks extends Effect.Service<PathLocks>()("services/configuration/PathLocks", {
  effect: Effect.map(ExperimentRepo, (experiments) => ({
    of: Effect.fnUntraced(function* (environmentId: EnvironmentId) {
      const now = yield* Clock.currentTimeMillis
      return openAt(yield* experiments.open(environmentId), now).map(lockOf)
    })
  }))
}) {}
