import { SqlClient } from "@effect/sql"
import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import { Context, Effect, Option } from "effect"

export interface Deletion {
  readonly sql: string
  readonly params: ReadonlyArray<unknown>
}

/**
 * Deletes rows and leaves those that refer to them, which may be millions, to `RemovedRows`. Answers the number of rows that the
 * statements return. Within a transaction, where SQLite cannot do so, it takes the others along.
 */
export class WithoutForeignKeys extends Context.Tag("adapters/sqlite/WithoutForeignKeys")<
  WithoutForeignKeys,
  (deletions: ReadonlyArray<Deletion>) => Effect.Effect<number, SqlError>
>() {}

const all = (connection: Connection, deletions: ReadonlyArray<Deletion>) =>
  Effect.map(
    Effect.forEach(deletions, ({ sql, params }) => connection.execute(sql, params, undefined)),
    (answers) => answers.reduce((count, rows) => count + rows.length, 0)
  )

/** `alone` keeps the other users of the connection waiting. */
export const withoutForeignKeys =
  (
    connection: Connection,
    alone: <A, E>(work: Effect.Effect<A, E>) => Effect.Effect<A, E>
  ): WithoutForeignKeys["Type"] =>
  (deletions) => {
    const run = (statement: string) => connection.executeUnprepared(statement, [], undefined)
    const undone = Effect.catchAllCause(run("rollback"), () => Effect.void)
    const atOnce = run("begin immediate").pipe(
      Effect.zipRight(all(connection, deletions)),
      Effect.tap(run("commit")),
      Effect.onError(() => undone)
    )
    const unenforced = Effect.acquireUseRelease(
      run("pragma foreign_keys = off"),
      () => atOnce,
      () => Effect.orDie(run("pragma foreign_keys = on"))
    )
    return Effect.flatMap(
      Effect.serviceOption(SqlClient.TransactionConnection),
      Option.match({
        onNone: () => alone(Effect.uninterruptible(unenforced)),
        onSome: ([held]) => all(held, deletions)
      })
    )
  }
