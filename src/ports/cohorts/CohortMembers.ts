import { Context } from "effect"
import type { Effect } from "effect"
import type { CohortPlan } from "../../domain/cohorts/CohortPlan.ts"
import type { CohortId, EnvironmentId } from "../../domain/Ids.ts"
import type { QueryTimedOut, StoreFull, StoreOverloaded } from "../analytics/EventStore.ts"

/** One computation of a cohort's members. */
export interface Generation {
  /** Epoch milliseconds: the time asked for, or a millisecond after the generation before when that is later. */
  readonly at: number
  readonly memberCount: number
  /** Units that were no members of the generation before, and those that no longer are. */
  readonly entered: number
  readonly left: number
  /** Of the environment's markers that were seen; 0 before the first. */
  readonly highestSequence: number
  readonly rowsScanned: number
}

/** Who would belong, without keeping it. */
export interface Evaluation {
  readonly count: number
  /** Ids ascending by UTF-16 code units. */
  readonly sample: ReadonlyArray<string>
  readonly highestSequence: number
  readonly rowsScanned: number
}

export interface Member {
  readonly unitId: string
  /** Epoch milliseconds of the generation that took the unit in, the last time it did. */
  readonly enteredAt: number
}

/** The last stay of a unit: all null when there was none. */
export interface Stay {
  readonly isMember: boolean
  readonly enteredAt: number | null
  /** Null for a member. */
  readonly leftAt: number | null
}

export interface MembersPage {
  /** Epoch milliseconds: the members as they were then; null: as they are. */
  readonly at: number | null
  /** The last unit of the page before; null: from the first. */
  readonly after: string | null
  readonly limit: number
}

/** Who belongs to which cohort, now and before. A cohort nobody computed has no members. Instants are epoch milliseconds. */
export class CohortMembers extends Context.Tag("ports/cohorts/CohortMembers")<
  CohortMembers,
  {
    /** Finds the members and puts them in the place of the old ones, all at once; readers see these until then, and so after a failure. */
    readonly recompute: (
      environmentId: EnvironmentId,
      cohortId: CohortId,
      plan: CohortPlan,
      now: number
    ) => Effect.Effect<Generation, QueryTimedOut | StoreOverloaded | StoreFull>
    /** Keeps nothing; at most `limit` ids. */
    readonly evaluate: (
      environmentId: EnvironmentId,
      plan: CohortPlan,
      limit: number
    ) => Effect.Effect<Evaluation, QueryTimedOut | StoreOverloaded>
    /** Makes exactly these units the members, whether they ever sent a marker or not. */
    readonly replace: (
      environmentId: EnvironmentId,
      cohortId: CohortId,
      unitIds: ReadonlyArray<string>,
      now: number
    ) => Effect.Effect<Generation, QueryTimedOut | StoreOverloaded | StoreFull>
    /** By id, ascending by UTF-16 code units. */
    readonly members: (
      environmentId: EnvironmentId,
      cohortId: CohortId,
      page: MembersPage
    ) => Effect.Effect<ReadonlyArray<Member>, QueryTimedOut | StoreOverloaded>
    readonly count: (
      environmentId: EnvironmentId,
      cohortId: CohortId,
      at: number | null
    ) => Effect.Effect<number, QueryTimedOut | StoreOverloaded>
    /** One stay for each unit, in their order, as they were at the instant; null: as they are. */
    readonly membership: (
      environmentId: EnvironmentId,
      cohortId: CohortId,
      unitIds: ReadonlyArray<string>,
      at: number | null
    ) => Effect.Effect<ReadonlyArray<Stay>, QueryTimedOut | StoreOverloaded>
    /** The cohorts the unit belongs to now, by id. */
    readonly ofUnit: (
      environmentId: EnvironmentId,
      unitId: string
    ) => Effect.Effect<
      ReadonlyArray<{ readonly cohortId: CohortId; readonly enteredAt: number }>,
      QueryTimedOut | StoreOverloaded
    >
    /** Forgets members and history. */
    readonly remove: (environmentId: EnvironmentId, cohortId: CohortId) => Effect.Effect<void>
  }
>() {}
