import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { ExperimentDraft } from "../../domain/experiments/ExperimentDraft.ts"
import type { EnvironmentId, ExperimentId } from "../../domain/Ids.ts"
import type { Size } from "../../domain/Room.ts"

/** Experiments that are not started. Lists ascend by id; removing an environment removes its drafts. */
export class ExperimentDraftRepo extends Context.Tag("ports/experiments/ExperimentDraftRepo")<
  ExperimentDraftRepo,
  {
    /** The draft must have ids from `newIds` of experiments, and revision 1. */
    readonly insert: (draft: ExperimentDraft) => Effect.Effect<ExperimentDraft>
    /** Overwrites the revision that was read and increments it. None when another write came in between. */
    readonly update: (draft: ExperimentDraft) => Effect.Effect<Option.Option<ExperimentDraft>>
    readonly remove: (environmentId: EnvironmentId, id: ExperimentId) => Effect.Effect<void>
    readonly find: (environmentId: EnvironmentId, id: ExperimentId) => Effect.Effect<Option.Option<ExperimentDraft>>
    readonly list: (environmentId: EnvironmentId) => Effect.Effect<ReadonlyArray<ExperimentDraft>>
    /** How many an environment has, with the characters of their plans. */
    readonly size: (environmentId: EnvironmentId) => Effect.Effect<Size>
  }
>() {}
