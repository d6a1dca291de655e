import { Effect, Option, Schema } from "effect"
import { ExperimentMetrics } from "../../../schema/experiments/ExperimentMetric.ts"
import type { ExperimentProgress, UnitType } from "../../domain/experiments/Experiment.ts"
import type { EnvironmentId, ExperimentGroupId, ExperimentId } from "../../domain/Ids.ts"
import { ExperimentRepo } from "../../ports/experiments/ExperimentRepo.ts"

/** What results need to know of an experiment. */
export interface ExperimentForResults {
  readonly id: ExperimentId
  readonly unitType: UnitType
  /** By ordinal. */
  readonly groups: ReadonlyArray<{ readonly id: ExperimentGroupId; readonly name: string; readonly isControl: boolean }>
  readonly progress: ExperimentProgress
  readonly metrics: ExperimentMetrics
}

const decodeMetrics = Schema.decode(Schema.parseJson(ExperimentMetrics))

/** Experiments as results see them. */
export class ExperimentsForResults extends Effect.Service<ExperimentsForResults>()(
  "services/experiments/ExperimentsForResults",
  {
    effect: Effect.map(ExperimentRepo, (experiments) => ({
      find: Effect.fnUntraced(function* (environmentId: EnvironmentId, id: ExperimentId) {
        const found = yield* experiments.find(environmentId, id)
        if (Option.isNone(found)) return Option.none<ExperimentForResults>()
        const metrics = yield* Effect.orDie(decodeMetrics(found.value.metrics))
        return Option.some<ExperimentForResults>({ ...found.value, metrics })
      })
    }))
  }
) {}
