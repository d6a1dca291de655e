import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

const statements = [
  `alter table environments add column retention_days integer`,
  `alter table environments add column marker_retention_days text not null default '{}'`
]

export const retention = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
