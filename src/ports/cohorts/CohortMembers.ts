import { Context, Data } from "effect"
import type { Effect } from "effect"
import type { CohortPlan } from "../../domain/cohorts/CohortPlan.ts"
import type { CohortId, EnvironmentId } from "../../domain/Ids.ts"
import type { NoAnswer, StoreFull } from "../analytics/EventStore.ts"

/** One computation of a cohort's members. */
export interface Generation {
  /** Epoch ms: the requested time, or one millisecond after the previous generation if that is later. */
  readonly at: number
  readonly memberCount: number
  /** The number of units that the previous generation lacks; `left`: the number that only it has. */
  readonly entered: number
  readonly left: number
  /** The sequence of the latest marker that was taken into account; 0 before the first. */
  readonly highestSequence: number
  readonly rowsScanned: number
}

/** What decides about the members has changed while they were computed, so that they were not stored. */
export class MembersOvertaken extends Data.TaggedError("MembersOvertaken") {}

/** The members that a plan would give, without storing them. */
export interface Evaluation {
  readonly count: number
  /** Ids ascending by UTF-16 code units. */
  readonly sample: ReadonlyArray<string>
  readonly highestSequence: number
  readonly rowsScanned: number
}

/** A unit that belongs to a cohort. */
export interface Member {
  readonly unitId: string
  /** Epoch ms of the generation that added the unit, the last time it was added. */
  readonly enteredAt: number
}

/** A unit's latest stay in a cohort, in epoch ms; all null when it never was a member. */
export interface Stay {
  readonly isMember: boolean
  readonly enteredAt: number | null
  /** Null for a member. */
  readonly leftAt: number | null
}

/** Which members to list. */
export interface MembersPage {
  /** Epoch ms: the members at that time. Null: the current members. */
  readonly at: number | null
  /** The last unit of the previous page; null for the first page. */
  readonly after: string | null
  readonly limit: number
}

/**
 * Which units belong to which cohort, now and at earlier times. A cohort that was never computed has no members.
 * Instants are epoch ms.
 */
export class CohortMembers extends Context.Tag("ports/cohorts/CohortMembers")<
  CohortMembers,
  {
    /**
     * Computes the members and replaces the previous ones atomically: readers see the previous members until then, and
     * after a failure. `isCurrent` is asked once they are computed, before the next computation of the same cohort may begin: where it
     * answers false, nothing is stored and the call fails with `MembersOvertaken`.
     */
    readonly recompute: (
      environmentId: EnvironmentId,
      cohortId: CohortId,
      plan: CohortPlan,
      now: number,
      isCurrent?: Effect.Effect<boolean>
    ) => Effect.Effect<Generation, NoAnswer | StoreFull | MembersOvertaken>
    /** Computes the members without storing them; answers at most `limit` ids. */
    readonly evaluate: (
      environmentId: EnvironmentId,
      plan: CohortPlan,
      limit: number
    ) => Effect.Effect<Evaluation, NoAnswer>
    /** Makes exactly these units the members, whether or not they ever sent a marker. */
    readonly replace: (
      environmentId: EnvironmentId,
      cohortId: CohortId,
      unitIds: ReadonlyArray<string>,
      now: number
    ) => Effect.Effect<Generation, NoAnswer | StoreFull>
    /** A page of members, ascending by id (UTF-16 code units). */
    readonly members: (
      environmentId: EnvironmentId,
      cohortId: CohortId,
      page: MembersPage
    ) => Effect.Effect<ReadonlyArray<Member>, NoAnswer>
    /** The number of members at the instant; null: now. */
    readonly count: (
      environmentId: EnvironmentId,
      cohortId: CohortId,
      at: number | null
    ) => Effect.Effect<number, NoAnswer>
    /** One stay for each unit, in the order given, as of the instant; null: as of now. */
    readonly membership: (
      environmentId: EnvironmentId,
      cohortId: CohortId,
      unitIds: ReadonlyArray<string>,
      at: number | null
    ) => Effect.Effect<ReadonlyArray<Stay>, NoAnswer>
    /** The cohorts the unit belongs to now, by id. */
    readonly ofUnit: (
      environmentId: EnvironmentId,
      unitId: string
    ) => Effect.Effect<ReadonlyArray<{ readonly cohortId: CohortId; readonly enteredAt: number }>, NoAnswer>
    /** Removes the cohort's members and their history. */
    readonly remove: (environmentId: EnvironmentId, cohortId: CohortId) => Effect.Effect<void>
  }
>() {}
