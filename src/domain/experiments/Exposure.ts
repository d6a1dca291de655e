import type { EnvironmentId, ExperimentGroupId, ExperimentId } from "../Ids.ts"
import type { UnitType } from "./Experiment.ts"

/** A unit in a group that was given the changes of the group, as far as it has any. */
export interface Exposure {
  readonly environmentId: EnvironmentId
  readonly experimentId: ExperimentId
  readonly groupId: ExperimentGroupId
  readonly unitType: UnitType
  readonly distinctId: string
  /** Epoch milliseconds. */
  readonly at: number
}
