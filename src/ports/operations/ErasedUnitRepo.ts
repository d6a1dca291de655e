import type { Effect } from "effect"
import { Context } from "effect"
import type { EnvironmentId } from "../../domain/Ids.ts"

/** Units whose data was erased. Only a fingerprint of each id is stored, never the id. */
export class ErasedUnitRepo extends Context.Tag("ports/operations/ErasedUnitRepo")<
  ErasedUnitRepo,
  {
    /** Records an erasure (epoch ms). If the unit was erased before, the later instant counts. */
    readonly put: (environmentId: EnvironmentId, fingerprint: string, erasedAt: number) => Effect.Effect<void>
    /**
     * Overwrites everything that was removed from the metadata so far, so that no byte of it remains in any file. A database server does that
     * by itself, some time later.
     */
    readonly scrub: Effect.Effect<void>
    /** Every erasure in the environment, in no particular order; instants in epoch ms. */
    readonly list: (
      environmentId: EnvironmentId
    ) => Effect.Effect<ReadonlyArray<{ readonly fingerprint: string; readonly erasedAt: number }>>
  }
>() {}
