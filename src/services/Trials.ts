import { Effect, type Option } from "effect"
import type { ExperimentMetrics } from "../../schema/ExperimentMetric.ts"
import type { Progress, UnitType } from "../domain/experiments/Experiment.ts"
import type { EnvironmentId, ExperimentGroupId, ExperimentId } from "../domain/Ids.ts"

/** What results need to know of an experiment. */
export interface TrialRecord {
  readonly id: ExperimentId
  readonly unitType: UnitType
  /** By ordinal. */
  readonly groups: ReadonlyArray<{ readonly id: ExperimentGroupId; readonly isControl: boolean }>
  readonly progress: Progress
  readonly metrics: ExperimentMetrics
}

/** Experiments as results see them. */
export class Trials extends Effect.Service<Trials>()("services/Trials", {
  succeed: {
    find: (_environmentId: EnvironmentId, _id: ExperimentId): Effect.Effect<Option.Option<TrialRecord>> =>
      Effect.succeedNone
  }
}) {}
