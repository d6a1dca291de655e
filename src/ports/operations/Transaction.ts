import type { Effect } from "effect"
import { Context } from "effect"

export class Transaction extends Context.Tag("ports/operations/Transaction")<
  Transaction,
  {
    /**
     * Runs writes to the metadata repositories all or nothing. A failure or interruption leaves everything as it was; inside another
     * transaction, as it was when this one began. Everybody else's reads and writes wait for its end: hold no slow work in it.
     */
    readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>() {}
