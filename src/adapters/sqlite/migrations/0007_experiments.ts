import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

const statements = [
  `create table experiments (
     id integer primary key,
     application_id integer not null references applications (id) on delete cascade,
     environment_id integer not null references environments (id) on delete cascade,
     revision integer not null,
     status text not null,
     is_open integer not null,
     base_configuration_id integer not null,
     record text not null
   ) strict`,
  `create index experiments_environment on experiments (environment_id, id)`,
  `create index experiments_application on experiments (application_id)`,
  `create index experiments_open on experiments (id) where is_open = 1`,
  `create table experiment_numbers (
     kind text primary key,
     last integer not null
   ) strict, without rowid`,
  `insert into experiment_numbers (kind, last) values ('experiment', 0), ('group', 0)`
]

export const experiments = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
