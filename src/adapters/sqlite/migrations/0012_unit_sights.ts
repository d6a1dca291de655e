import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** Units that are assigned already were seen when they were. */
const statements = [
  `create table unit_sights (
     environment_id integer not null references environments (id) on delete cascade,
     unit_type text not null,
     distinct_id text not null,
     first_seen_at integer not null,
     primary key (environment_id, unit_type, distinct_id)
   ) strict, without rowid`,
  `insert into unit_sights (environment_id, unit_type, distinct_id, first_seen_at)
     select environment_id, unit_type, distinct_id, min(assigned_at) from assignments group by 1, 2, 3`
]

export const unitSights = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
