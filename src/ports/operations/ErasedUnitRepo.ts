import type { Effect } from "effect"
import { Context } from "effect"
import type { EnvironmentId } from "../../domain/Ids.ts"

/** Units whose data were erased, known by a fingerprint of their id: their id itself is kept nowhere. */
export class ErasedUnitRepo extends Context.Tag("ports/operations/ErasedUnitRepo")<
  ErasedUnitRepo,
  {
    /** Of a unit that is erased again the later instant counts; epoch milliseconds. */
    readonly put: (environmentId: EnvironmentId, fingerprint: string, erasedAt: number) => Effect.Effect<void>
    /** Leaves no byte of what was removed from the metadata before in any file. */
    readonly scrub: Effect.Effect<void>
    readonly list: (
      environmentId: EnvironmentId
    ) => Effect.Effect<ReadonlyArray<{ readonly fingerprint: string; readonly erasedAt: number }>>
  }
>() {}
