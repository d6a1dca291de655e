import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

const statements = [
  `create table erasures (
     environment_id integer not null references environments (id) on delete cascade,
     unit_id text not null,
     erased_at integer not null,
     primary key (environment_id, unit_id)
   ) strict, without rowid`
]

export const erasures = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
