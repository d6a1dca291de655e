import type { Effect } from "effect"
import { Context } from "effect"
import type { StoredAssignment } from "../../domain/experiments/StoredAssignment.ts"
import type { EnvironmentId, ExperimentId } from "../../domain/Ids.ts"

/** New assignments of units in groups, in an environment. */
export interface EnrolmentBatch {
  readonly environmentId: EnvironmentId
  /** The experiments that they were decided upon, by id, with the revision of each. */
  readonly revisions: ReadonlyMap<ExperimentId, number>
  readonly assignments: ReadonlyArray<StoredAssignment>
}

/** Stores the assignments of all units that wait, with their first exposures. */
export class EnrolmentRepo extends Context.Tag("ports/experiments/EnrolmentRepo")<
  EnrolmentRepo,
  {
    /**
     * Stores in one transaction each assignment whose unit has none in its experiment yet, and notes its first exposure, if it has one, as
     * one without a marker. With `locks` the transaction waits at least for those that hold one of the same names (see `Transaction`), without
     * for all. Answers for each batch what is stored for each of its assignments afterwards: the very object that was given for one that is
     * stored now. Null, and nothing of the batch is stored, where one of its experiments has been written since, or has ended.
     */
    readonly enrolAll: (
      batches: ReadonlyArray<EnrolmentBatch>,
      locks?: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<ReadonlyArray<StoredAssignment> | null>>
  }
>() {}
