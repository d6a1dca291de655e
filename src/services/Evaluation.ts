import { Effect } from "effect"
import type { Changeset } from "../domain/configuration/Changeset.ts"
import type { AssignmentSource } from "../domain/experiments/Assignment.ts"
import type { Context } from "../domain/experiments/Context.ts"
import type { UnitType } from "../domain/experiments/Experiment.ts"
import type { ConfigurationId, EnvironmentId, ExperimentGroupId, ExperimentId } from "../domain/Ids.ts"

/** A player or a game server that asks for a configuration. */
export interface AskingUnit {
  readonly type: UnitType
  readonly distinctId: string
  readonly context: Context
}

/** An active assignment of a unit to a group of a running experiment. */
export interface UnitAssignment {
  readonly experimentId: ExperimentId
  readonly unitType: UnitType
  readonly groupId: ExperimentGroupId
  readonly groupName: string
  readonly assignmentVersion: number
  readonly source: AssignmentSource
  /** Empty where the group was dropped: its members get the base. */
  readonly changeset: Changeset
  /** Whether this very question was recorded as the unit's exposure. */
  readonly exposureProxyRecorded: boolean
}

/** Finds the groups of a unit, assigns it where it may be enrolled, and records that it was exposed. */
export class Evaluation extends Effect.Service<Evaluation>()("services/Evaluation", {
  succeed: {
    /** Of experiments on that configuration and of that unit's type which run now. */
    assignmentsFor: Effect.fn("Evaluation.assignmentsFor")(
      (_environmentId: EnvironmentId, _configurationId: ConfigurationId, _unit: AskingUnit) =>
        Effect.succeed<ReadonlyArray<UnitAssignment>>([])
    )
  }
}) {}
