import type { DateTime, Effect, Option } from "effect"
import { Context } from "effect"
import type { Cohort, CohortOutline, CohortRun, NewCohort } from "../../domain/cohorts/Cohort.ts"
import type { CohortId, EnvironmentId, OrganizationId } from "../../domain/Ids.ts"
import type { Size } from "../../domain/Room.ts"

/**
 * Definitions and status of cohorts; members are in `CohortMembers`. Names are unique within an environment, ignoring
 * case.
 */
export class CohortRepo extends Context.Tag("ports/cohorts/CohortRepo")<
  CohortRepo,
  {
    /** None when the name is taken. */
    readonly insert: (cohort: NewCohort) => Effect.Effect<Option.Option<Cohort>>
    /** Overwrites the cohort of that id. None, without any change, when the name is taken. */
    readonly update: (cohort: Cohort) => Effect.Effect<Option.Option<Cohort>>
    /** Removes the cohort and its runs. */
    readonly remove: (id: CohortId) => Effect.Effect<void>
    readonly find: (environmentId: EnvironmentId, id: CohortId) => Effect.Effect<Option.Option<Cohort>>
    readonly findByName: (environmentId: EnvironmentId, name: string) => Effect.Effect<Option.Option<Cohort>>
    /** By id, ascending. */
    readonly list: (environmentId: EnvironmentId) => Effect.Effect<ReadonlyArray<Cohort>>
    /** The same without their definitions, which may have megabytes together. */
    readonly outlines: (environmentId: EnvironmentId) => Effect.Effect<ReadonlyArray<CohortOutline>>
    /** The outlines of the cohorts of all environments, by id. */
    readonly every: Effect.Effect<ReadonlyArray<CohortOutline>>
    /** The cohorts of the environment, and the characters of their definitions together. */
    readonly size: (environmentId: EnvironmentId) => Effect.Effect<Size>
    /** Whether a cohort is due and not being computed, or is being computed by somebody whose claim has run out. */
    readonly isAnyDue: (now: DateTime.Utc) => Effect.Effect<boolean>
    /**
     * Begins the computation of one cohort for `owner`, whose claim lasts until `until`: of one that was begun and whose claim has run out,
     * else of the one that has been due longest, of organizations that are not among those `served` if there is any. One that has been begun before,
     * and has not come to an end again, fails and waits instead, which `onFailed` is told with the cohort as it was before and is now. None where no
     * cohort is due. A store that one process has for itself lets every claim run out when it is opened.
     */
    readonly claim: (
      now: DateTime.Utc,
      owner: string,
      until: DateTime.Utc,
      served: ReadonlyArray<OrganizationId>,
      onFailed?: (before: Cohort, after: Cohort) => Effect.Effect<void>
    ) => Effect.Effect<Option.Option<Cohort>>
    /** Extends the owner's claims of these cohorts. Answers those that are still being computed by the owner. */
    readonly renew: (
      owner: string,
      until: DateTime.Utc,
      ids: ReadonlyArray<CohortId>
    ) => Effect.Effect<ReadonlyArray<CohortId>>
    /** Appends to the cohort's history, which keeps its latest 1,000 runs. */
    readonly addRun: (id: CohortId, run: CohortRun) => Effect.Effect<void>
    /** Oldest first. */
    readonly runs: (id: CohortId) => Effect.Effect<ReadonlyArray<CohortRun>>
  }
>() {}
