import type { Effect } from "effect"
import { Context } from "effect"

export class Health extends Context.Tag("ports/operations/Health")<
  Health,
  {
    /** Whether the metadata store takes a write right now. */
    readonly metadata: Effect.Effect<boolean>
  }
>() {}
