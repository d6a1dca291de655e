import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { AssignmentSource, AssignmentStatus } from "../../domain/experiments/Assignment.ts"
import type { UnitType } from "../../domain/experiments/Experiment.ts"
import type { StoredAssignment } from "../../domain/experiments/StoredAssignment.ts"
import type { EnvironmentId, ExperimentGroupId, ExperimentId } from "../../domain/Ids.ts"

/** Selects assignments of an experiment; null accepts everything, and all conditions must hold. */
export interface AssignmentFilter {
  /** A part of the distinct id, ignoring the case of ASCII letters. */
  readonly search: string | null
  readonly source: AssignmentSource | null
  readonly status: AssignmentStatus | null
  readonly groupId: ExperimentGroupId | null
}

/** How many assignments of an experiment have this group and status. */
export interface GroupTotal {
  readonly groupId: ExperimentGroupId
  readonly status: AssignmentStatus
  readonly count: number
}

/** Assignments of units to groups. An assignment without a group, left when an override is withdrawn, is not stored. */
export class AssignmentRepo extends Context.Tag("ports/experiments/AssignmentRepo")<
  AssignmentRepo,
  {
    /** All assignments of these units in the environment, by distinct id and experiment. */
    readonly ofUnits: (
      environmentId: EnvironmentId,
      unitType: UnitType,
      distinctIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<StoredAssignment>>
    /** The assignment of a unit to an experiment of the environment. */
    readonly find: (
      environmentId: EnvironmentId,
      experimentId: ExperimentId,
      distinctId: string
    ) => Effect.Effect<Option.Option<StoredAssignment>>
    /**
     * Stores each assignment whose unit has none in its experiment yet, and answers what is stored for each afterwards: the very object
     * that was given for one that is stored now.
     */
    readonly enrol: (
      environmentId: EnvironmentId,
      assignments: ReadonlyArray<StoredAssignment>
    ) => Effect.Effect<ReadonlyArray<StoredAssignment>>
    /** Stores assignments, overwriting those of the same units. */
    readonly put: (environmentId: EnvironmentId, assignments: ReadonlyArray<StoredAssignment>) => Effect.Effect<void>
    readonly remove: (
      environmentId: EnvironmentId,
      experimentId: ExperimentId,
      distinctId: string
    ) => Effect.Effect<void>
    /** A page of assignments, latest first, ties by distinct id; `total` counts all that match. */
    readonly page: (
      experimentId: ExperimentId,
      filter: AssignmentFilter,
      offset: number,
      limit: number
    ) => Effect.Effect<{ readonly items: ReadonlyArray<StoredAssignment>; readonly total: number }>
    /** Assignments counted by group and status; combinations without any are left out. */
    readonly totals: (experimentId: ExperimentId) => Effect.Effect<ReadonlyArray<GroupTotal>>
    /** The number of assignments of each experiment in the environment that has any. */
    readonly counts: (
      environmentId: EnvironmentId
    ) => Effect.Effect<ReadonlyArray<{ readonly experimentId: ExperimentId; readonly count: number }>>
    /** Removes all of a unit's assignments, for either type of unit, and answers how many there were. */
    readonly eraseUnit: (environmentId: EnvironmentId, distinctId: string) => Effect.Effect<number>
  }
>() {}
