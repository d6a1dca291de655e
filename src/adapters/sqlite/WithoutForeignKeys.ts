import { SqlClient } from "@effect/sql"
import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import { Effect, Exit, Scope } from "effect"
import type { WithoutForeignKeys } from "../sql/WithoutForeignKeys.ts"

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
