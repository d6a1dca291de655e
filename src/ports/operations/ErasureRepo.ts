import type { Effect } from "effect"
import { Context } from "effect"
import type { Erasure } from "../../domain/operations/Erasure.ts"

/** Erasures that have begun and not ended, so that one that was cut off is finished. Removing an environment removes its own. */
export class ErasureRepo extends Context.Tag("ports/operations/ErasureRepo")<
  ErasureRepo,
  {
    /** Records the erasure. If one of the unit has begun before, the later instant counts. */
    readonly begin: (erasure: Erasure) => Effect.Effect<void>
    /**
     * Forgets the erasure, and with it the last place that holds the unit's id, unless another one of the unit has begun at a later instant:
     * that one forgets it.
     */
    readonly end: (erasure: Erasure) => Effect.Effect<void>
    /** The longest ago first. */
    readonly unfinished: Effect.Effect<ReadonlyArray<Erasure>>
  }
>() {}
