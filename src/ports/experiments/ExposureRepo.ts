import type { Effect } from "effect"
import { Context } from "effect"
import type { Exposure } from "../../domain/experiments/Exposure.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"

/**
 * First exposures of units, which assignments hold, and which of them have no marker yet. No transaction spans the metadata and the
 * markers, so an exposure is noted as one without a marker until somebody says that its marker is stored.
 */
export class ExposureRepo extends Context.Tag("ports/experiments/ExposureRepo")<
  ExposureRepo,
  {
    /**
     * Records the exposures of units that are in that group and have none recorded in it. Answers those that are recorded as they were
     * given, at that instant, and have no marker: whoever is told of one stores its marker. So a batch may be given again. Of several
     * exposures of one unit one is recorded. `marked` are from now on known to have their markers; both happens in one transaction.
     */
    readonly record: (
      exposures: ReadonlyArray<Exposure>,
      marked: ReadonlyArray<Exposure>
    ) => Effect.Effect<ReadonlyArray<Exposure>>
    /** Notes exposures that units were enrolled with as ones without a marker. To be called in the transaction that enrols them. */
    readonly note: (exposures: ReadonlyArray<Exposure>) => Effect.Effect<void>
    /**
     * Of exposures that this process has noted as their units were enrolled, those that have no marker: all, unless another process has
     * erased a unit since. This process stores their markers.
     */
    readonly noted: (exposures: ReadonlyArray<Exposure>) => Effect.Effect<ReadonlyArray<Exposure>>
    /** Exposures from before the instant (epoch ms) without a marker, by instant; the first `limit` of them. */
    readonly unmarked: (before: number, limit: number) => Effect.Effect<ReadonlyArray<Exposure>>
    /** Forgets a unit, of either type. */
    readonly eraseUnit: (environmentId: EnvironmentId, distinctId: string) => Effect.Effect<void>
  }
>() {}
