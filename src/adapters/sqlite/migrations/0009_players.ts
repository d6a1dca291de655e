import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

const statements = [
  `create table erased_units (
     environment_id integer not null references environments (id) on delete cascade,
     fingerprint text not null,
     erased_at integer not null,
     primary key (environment_id, fingerprint)
   ) strict, without rowid`
]

export const players = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
