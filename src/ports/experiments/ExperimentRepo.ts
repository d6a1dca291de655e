import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { Size } from "../../domain/Room.ts"
import type { StoredExperiment } from "../../domain/experiments/StoredExperiment.ts"
import type { EnvironmentId, ExperimentGroupId, ExperimentId } from "../../domain/Ids.ts"

/** Ids that were never used before. */
export interface NewIds {
  readonly id: ExperimentId
  readonly groupIds: ReadonlyArray<ExperimentGroupId>
}

/**
 * Experiments as last written; what time has changed since is computed by the domain. Lists ascend by id; removing an
 * environment removes its experiments.
 */
export class ExperimentRepo extends Context.Tag("ports/experiments/ExperimentRepo")<
  ExperimentRepo,
  {
    /** Reserves an id for an experiment and for each of its groups. */
    readonly newIds: (groups: number) => Effect.Effect<NewIds>
    /** Reserves ids for more groups of an experiment. */
    readonly newGroupIds: (groups: number) => Effect.Effect<NewIds["groupIds"]>
    /** The experiment must have an id from `newIds` and revision 1. */
    readonly insert: (experiment: StoredExperiment) => Effect.Effect<StoredExperiment>
    /** Overwrites the revision that was read and increments it. None when another write came in between. */
    readonly update: (experiment: StoredExperiment) => Effect.Effect<Option.Option<StoredExperiment>>
    readonly find: (environmentId: EnvironmentId, id: ExperimentId) => Effect.Effect<Option.Option<StoredExperiment>>
    readonly list: (environmentId: EnvironmentId) => Effect.Effect<ReadonlyArray<StoredExperiment>>
    /** The experiments that have not ended. */
    readonly open: (environmentId: EnvironmentId) => Effect.Effect<ReadonlyArray<StoredExperiment>>
    /** How much those are. */
    readonly openSize: (environmentId: EnvironmentId) => Effect.Effect<Size>
    /** How much all of them are, those that have ended too, in bytes. */
    readonly size: (environmentId: EnvironmentId) => Effect.Effect<Size>
    /** The revisions of the experiments that have not ended, by id: what shows that none of them was written since it was read. */
    readonly revisions: (environmentId: EnvironmentId) => Effect.Effect<ReadonlyMap<ExperimentId, number>>
    /**
     * What `look` makes of each experiment of all environments that has not ended; damaged ones are left out and logged. One environment is read after the
     * other: all of them together may be larger than the memory.
     */
    readonly everyOpen: <A>(look: (experiment: StoredExperiment) => A) => Effect.Effect<ReadonlyArray<A>>
  }
>() {}
