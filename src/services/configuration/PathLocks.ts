import { Clock, Effect } from "effect"
import { at, isOpen, lockOf } from "../../domain/experiments/StoredExperiment.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { ExperimentRepo } from "../../ports/experiments/ExperimentRepo.ts"

/** What scheduled and running experiments hold of the configurations of an environment. */
export class PathLocks extends Effect.Service<PathLocks>()("services/configuration/PathLocks", {
  effect: Effect.map(ExperimentRepo, (experiments) => ({
    of: Effect.fnUntraced(function* (environmentId: EnvironmentId) {
      const now = yield* Clock.currentTimeMillis
      const open = yield* experiments.open(environmentId)
      return open
        .map((each) => at(each, now))
        .filter(isOpen)
        .map(lockOf)
    })
  }))
}) {}
