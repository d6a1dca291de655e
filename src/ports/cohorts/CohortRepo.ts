import type { DateTime, Effect, Option } from "effect"
import { Context } from "effect"
import type { Cohort, CohortRun, NewCohort } from "../../domain/cohorts/Cohort.ts"
import type { CohortId, EnvironmentId } from "../../domain/Ids.ts"

/** What is known of cohorts, without their members. Names are unique in an environment without regard to case. */
export class CohortRepo extends Context.Tag("ports/cohorts/CohortRepo")<
  CohortRepo,
  {
    /** None where the name is taken. */
    readonly insert: (cohort: NewCohort) => Effect.Effect<Option.Option<Cohort>>
    /** Writes over the cohort of that id; none, and nothing changes, where the name is taken. */
    readonly update: (cohort: Cohort) => Effect.Effect<Option.Option<Cohort>>
    /** Removes the cohort with its history. */
    readonly remove: (id: CohortId) => Effect.Effect<void>
    readonly find: (environmentId: EnvironmentId, id: CohortId) => Effect.Effect<Option.Option<Cohort>>
    readonly findByName: (environmentId: EnvironmentId, name: string) => Effect.Effect<Option.Option<Cohort>>
    /** By id, ascending. */
    readonly list: (environmentId: EnvironmentId) => Effect.Effect<ReadonlyArray<Cohort>>
    /** Of all environments, by id, ascending. */
    readonly every: Effect.Effect<ReadonlyArray<Cohort>>
    /** Of the cohorts that are due and not being computed the one that has been for longest. */
    readonly nextDue: (now: DateTime.Utc) => Effect.Effect<Option.Option<Cohort>>
    /** Adds to the history, which keeps the latest 1,000 runs. */
    readonly addRun: (id: CohortId, run: CohortRun) => Effect.Effect<void>
    /** Oldest first. */
    readonly runs: (id: CohortId) => Effect.Effect<ReadonlyArray<CohortRun>>
  }
>() {}
