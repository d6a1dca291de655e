import type { SqlError } from "@effect/sql/SqlError"
import type { Effect } from "effect"
import { Context } from "effect"

/**
 * A transaction whose deletions leave the rows that refer to what is deleted, which may be millions, to `RemovedRows`. Within another
 * transaction, where SQLite cannot do so, they take the others along.
 */
export class WithoutForeignKeys extends Context.Tag("adapters/sql/WithoutForeignKeys")<
  WithoutForeignKeys,
  <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | SqlError, R>
>() {}
