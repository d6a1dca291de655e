import { SqlClient } from "@effect/sql"
import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import { Context, Effect, Exit, Scope } from "effect"

/**
 * A transaction whose deletions leave the rows that refer to what is deleted, which may be millions, to `RemovedRows`. Within another
 * transaction, where SQLite cannot do so, they take the others along.
 */
export class WithoutForeignKeys extends Context.Tag("adapters/sqlite/WithoutForeignKeys")<
  WithoutForeignKeys,
  <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | SqlError, R>
>() {}

/** `held` is the connection, for which all its other users wait until the scope ends. */
export const withoutForeignKeys = (
  held: Effect.Effect<Connection, SqlError, Scope.Scope>
): WithoutForeignKeys["Type"] => {
  const unenforced = Effect.acquireRelease(
    Effect.tap(held, (connection) => connection.executeUnprepared("pragma foreign_keys = off", [], undefined)),
    (connection) => Effect.orDie(connection.executeUnprepared("pragma foreign_keys = on", [], undefined))
  )
  const run = (statement: string) => (connection: Connection) =>
    Effect.asVoid(connection.executeUnprepared(statement, [], undefined))
  return SqlClient.makeWithTransaction({
    transactionTag: SqlClient.TransactionConnection,
    spanAttributes: [
      ["db.system.name", "sqlite"],
      ["db.foreign_keys", "off"]
    ],
    acquireConnection: Effect.flatMap(Scope.make(), (scope) =>
      Scope.extend(unenforced, scope).pipe(
        Effect.map((connection) => [scope, connection] as const),
        Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
      )
    ),
    begin: run("begin immediate"),
    savepoint: (connection, id) => run(`savepoint effect_sql_${id}`)(connection),
    commit: run("commit"),
    rollback: run("rollback"),
    rollbackSavepoint: (connection, id) => run(`rollback to savepoint effect_sql_${id}`)(connection)
  })
}
