import { Clock, Effect, Option } from "effect"
import type { CohortUsage } from "../../../schema/cohorts/Cohorts.ts"
import { at } from "../../domain/experiments/StoredExperiment.ts"
import type { CohortId, EnvironmentId, ExperimentId } from "../../domain/Ids.ts"
import { ExperimentRepo } from "../../ports/experiments/ExperimentRepo.ts"

/** What cohorts and the experiments of an environment have to do with each other. */
export class CohortUsers extends Effect.Service<CohortUsers>()("services/cohorts/CohortUsers", {
  effect: Effect.gen(function* () {
    const experiments = yield* ExperimentRepo

    /** Finds the experiments that target a cohort, in any status, among those that the environment has now. */
    const finder = Effect.fnUntraced(function* (environmentId: EnvironmentId) {
      const now = yield* Clock.currentTimeMillis
      const all = yield* experiments.list(environmentId)
      return (id: CohortId) => {
        const naming = all.filter(({ targeting }) => targeting.cohortIds.includes(id))
        return naming.map((each) => ({
          id: each.id,
          name: each.name,
          status: at(each, now).progress.status
        })) satisfies CohortUsage["experiments"]
      }
    })

    /** Experiments that target the cohort, in any status. */
    const targeting = (environmentId: EnvironmentId, id: CohortId) =>
      Effect.map(finder(environmentId), (find) => find(id))

    /** The groups of an experiment of the environment; none where it has no such experiment. */
    const groups = Effect.fnUntraced(function* (environmentId: EnvironmentId, id: ExperimentId) {
      const found = yield* experiments.find(environmentId, id)
      return Option.map(found, (experiment) => experiment.groups.map((group) => group.id))
    })

    return { finder, targeting, groups } as const
  })
}) {}
