import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { StoredExperiment } from "../../domain/experiments/StoredExperiment.ts"
import type { EnvironmentId, ExperimentGroupId, ExperimentId } from "../../domain/Ids.ts"

/** Ids that no experiment and no group have had. */
export interface NewIds {
  readonly id: ExperimentId
  readonly groupIds: ReadonlyArray<ExperimentGroupId>
}

/** Experiments go with their environment. Lists are by ascending id; what is open is so since the last write, whatever time did. */
export class ExperimentRepo extends Context.Tag("ports/experiments/ExperimentRepo")<
  ExperimentRepo,
  {
    readonly newIds: (groups: number) => Effect.Effect<NewIds>
    /** Of a new id and revision 1. */
    readonly insert: (experiment: StoredExperiment) => Effect.Effect<StoredExperiment>
    /** Writes over the revision that was read, as the next one; none when another write came between. */
    readonly update: (experiment: StoredExperiment) => Effect.Effect<Option.Option<StoredExperiment>>
    readonly find: (environmentId: EnvironmentId, id: ExperimentId) => Effect.Effect<Option.Option<StoredExperiment>>
    readonly list: (environmentId: EnvironmentId) => Effect.Effect<ReadonlyArray<StoredExperiment>>
    /** Those that have not ended. */
    readonly open: (environmentId: EnvironmentId) => Effect.Effect<ReadonlyArray<StoredExperiment>>
    /** Those of all environments that have not ended. */
    readonly everyOpen: Effect.Effect<ReadonlyArray<StoredExperiment>>
  }
>() {}
