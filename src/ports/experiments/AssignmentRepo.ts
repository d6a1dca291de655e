import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { AssignmentSource, AssignmentStatus } from "../../domain/experiments/Assignment.ts"
import type { UnitType } from "../../domain/experiments/Experiment.ts"
import type { StoredAssignment } from "../../domain/experiments/StoredAssignment.ts"
import type { EnvironmentId, ExperimentGroupId, ExperimentId } from "../../domain/Ids.ts"

/** Which assignments of an experiment are wanted; every condition must hold. */
export interface AssignmentFilter {
  /** Part of the distinct id, without regard to case of ASCII letters. */
  readonly search: string | null
  readonly source: AssignmentSource | null
  readonly status: AssignmentStatus | null
  readonly groupId: ExperimentGroupId | null
}

export interface GroupTotal {
  readonly groupId: ExperimentGroupId
  readonly status: AssignmentStatus
  readonly count: number
}

/** Assignments of units to groups. A unit without a group (its override taken back) has none. */
export class AssignmentRepo extends Context.Tag("ports/experiments/AssignmentRepo")<
  AssignmentRepo,
  {
    /** Of these units in every experiment of the environment, by distinct id and experiment. */
    readonly ofUnits: (
      environmentId: EnvironmentId,
      unitType: UnitType,
      distinctIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<StoredAssignment>>
    readonly find: (experimentId: ExperimentId, distinctId: string) => Effect.Effect<Option.Option<StoredAssignment>>
    /** Writes those whose unit has none in its experiment yet, and gives back for each what is kept now. */
    readonly enrol: (
      environmentId: EnvironmentId,
      assignments: ReadonlyArray<StoredAssignment>
    ) => Effect.Effect<ReadonlyArray<StoredAssignment>>
    /** Writes over what is kept of the same units. */
    readonly put: (environmentId: EnvironmentId, assignments: ReadonlyArray<StoredAssignment>) => Effect.Effect<void>
    /** Sets the instant of the first exposure of units that have none; epoch milliseconds. */
    readonly expose: (
      exposures: ReadonlyArray<{
        readonly experimentId: ExperimentId
        readonly distinctId: string
        readonly at: number
      }>
    ) => Effect.Effect<void>
    readonly remove: (experimentId: ExperimentId, distinctId: string) => Effect.Effect<void>
    /** Latest assigned first, ties by distinct id; the total is of all that match. */
    readonly page: (
      experimentId: ExperimentId,
      filter: AssignmentFilter,
      offset: number,
      limit: number
    ) => Effect.Effect<{ readonly items: ReadonlyArray<StoredAssignment>; readonly total: number }>
    /** By group and status, groups without units left out. */
    readonly totals: (experimentId: ExperimentId) => Effect.Effect<ReadonlyArray<GroupTotal>>
    /** Units assigned in each experiment of the environment that has any. */
    readonly counts: (
      environmentId: EnvironmentId
    ) => Effect.Effect<ReadonlyArray<{ readonly experimentId: ExperimentId; readonly count: number }>>
    /** Removes all of a unit, of whatever type, and answers how many there were. */
    readonly eraseUnit: (environmentId: EnvironmentId, distinctId: string) => Effect.Effect<number>
  }
>() {}
