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
     * Records each exposure whose unit is in that group and has no exposure recorded there; of several exposures of one unit, one. Answers
     * the exposures that are recorded with the instant given and have no marker yet: the caller stores their markers. A batch may therefore
     * be given again after a failure. `marked` are exposures whose markers are stored. Both happens in one transaction.
     */
    readonly record: (
      exposures: ReadonlyArray<Exposure>,
      marked: ReadonlyArray<Exposure>
    ) => Effect.Effect<ReadonlyArray<Exposure>>
    /** Notes that exposures with which units were enrolled have no marker yet. Call it in the transaction that enrols the units. */
    readonly note: (exposures: ReadonlyArray<Exposure>) => Effect.Effect<void>
    /**
     * Of exposures that this process noted when it enrolled their units, those that still have no marker, which this process stores. Others
     * are missing only where another process has erased their unit since.
     */
    readonly noted: (exposures: ReadonlyArray<Exposure>) => Effect.Effect<ReadonlyArray<Exposure>>
    /** Exposures from before the instant (epoch ms) without a marker, by instant; the first `limit` of them. */
    readonly unmarked: (before: number, limit: number) => Effect.Effect<ReadonlyArray<Exposure>>
    /** Forgets a unit, of either type. */
    readonly eraseUnit: (environmentId: EnvironmentId, distinctId: string) => Effect.Effect<void>
  }
>() {}
