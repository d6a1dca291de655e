import type { Effect } from "effect"
import { Context } from "effect"

/** Transactions on the metadata repositories. */
export class Transaction extends Context.Tag("ports/operations/Transaction")<
  Transaction,
  {
    /**
     * Runs writes to the metadata repositories atomically. A failure or interruption undoes them; in a nested
     * transaction, only those of the nested one. All other readers and writers wait meanwhile, so do nothing slow
     * inside. Transactions with `locks` wait at least for those that hold one of the same names, and need wait for no others: a store
     * may run them beside each other. A nested one holds its own, beside those around it, until the outermost ends.
     */
    readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>, locks?: ReadonlyArray<string>) => Effect.Effect<A, E, R>
    /**
     * The same for an effect that removes a record which may have had any number of rows. They are hidden when it ends, and deleted by
     * `RemovedRows.clear`. In a nested transaction they are deleted at once, which may take long.
     */
    readonly runRemoval: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>() {}
