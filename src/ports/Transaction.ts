import type { Effect } from "effect"
import { Context } from "effect"

export class Transaction extends Context.Tag("ports/Transaction")<
  Transaction,
  {
    /** Runs writes to the metadata repositories all or nothing. A failure or interruption leaves everything as it was. Hold no slow work in it. */
    readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>() {}
