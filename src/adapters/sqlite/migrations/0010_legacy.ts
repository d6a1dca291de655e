import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

const statements = [
  `create table game_jobs (
     id integer primary key autoincrement,
     environment_id integer not null references environments (id) on delete cascade,
     audience text not null,
     digest text not null,
     queued_at integer not null,
     started_at integer,
     completed_at integer,
     status text,
     result text,
     unique (environment_id, audience)
   ) strict`,
  `create table server_states (
     environment_id integer not null references environments (id) on delete cascade,
     server_id text not null,
     reported_at integer not null,
     state text not null,
     primary key (environment_id, server_id)
   ) strict, without rowid`,
  `create index server_states_reported on server_states (reported_at)`
]

export const legacy = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
