import type { Effect } from "effect"
import { Context } from "effect"

/** Checks of the stores. */
export class Health extends Context.Tag("ports/operations/Health")<
  Health,
  {
    /** Whether the metadata store accepts a write right now. */
    readonly metadata: Effect.Effect<boolean>
  }
>() {}
