import { Effect, Option } from "effect"
import type { CohortUsage } from "../../schema/Cohorts.ts"
import type { CohortId, EnvironmentId, ExperimentGroupId, ExperimentId } from "../domain/Ids.ts"

/** What cohorts and the experiments of an environment have to do with each other. */
export class CohortUsers extends Effect.Service<CohortUsers>()("services/CohortUsers", {
  succeed: {
    /** Experiments that target the cohort, in any status. */
    targeting: Effect.fn("CohortUsers.targeting")((_: EnvironmentId, __: CohortId) =>
      Effect.succeed<CohortUsage["experiments"]>([])
    ),
    /** The groups of an experiment of the environment; none where it has no such experiment. */
    groups: Effect.fn("CohortUsers.groups")((_: EnvironmentId, __: ExperimentId) =>
      Effect.succeed(Option.none<ReadonlyArray<ExperimentGroupId>>())
    )
  }
}) {}
