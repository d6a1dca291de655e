import type { Effect } from "effect"
import { Context } from "effect"
import type { EnvironmentId } from "../../domain/Ids.ts"
import type { Stranger } from "../../domain/operations/Reconciliation.ts"

/** What a start has set aside because the metadata, restored from an older copy, have never seen it. */
export class SetAside extends Context.Tag("ports/operations/SetAside")<
  SetAside,
  {
    /** Environments whose markers are shown to nobody and are kept. Their ids are never given again. */
    readonly environments: Effect.Effect<ReadonlyArray<EnvironmentId>>
    /** Environments and cohorts, by kind and id. */
    readonly all: Effect.Effect<ReadonlyArray<Stranger>>
    /** Forgets that it was set aside, because it was deleted at that instant (epoch milliseconds). */
    readonly forget: (stranger: Stranger, at: number) => Effect.Effect<void>
  }
>() {}
