import type { Statement } from "@effect/sql"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** Runs a statement that ends what an earlier process has left, unless other processes may use the database at the same time. */
export const atOpening = (statement: Statement.Statement<object>): Effect.Effect<void, never, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.onDialectOrElse({ pg: () => Effect.void, orElse: () => Effect.asVoid(Effect.orDie(statement)) })
  )
