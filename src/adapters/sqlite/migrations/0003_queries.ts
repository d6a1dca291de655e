import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

const statements = [
  `create table saved_queries (
     id text primary key,
     application_id integer not null references applications (id) on delete cascade,
     name text not null,
     description text,
     definition text not null,
     created_by text,
     created_at text not null,
     updated_at text not null
   ) strict`,
  `create index saved_queries_application on saved_queries (application_id, created_at, id)`,
  `create table executions (
     id text primary key,
     query_id text not null references saved_queries (id) on delete cascade,
     application_id integer not null references applications (id) on delete cascade,
     environment_id integer not null references environments (id) on delete cascade,
     idempotency_key text,
     requester text not null,
     definition text not null,
     state text not null,
     rows_scanned integer not null,
     rows_total integer not null,
     result text,
     error text,
     requested_at text not null,
     started_at text,
     finished_at text
   ) strict`,
  `create unique index executions_key on executions (query_id, environment_id, idempotency_key)`,
  `create index executions_application on executions (application_id)`,
  `create index executions_environment on executions (environment_id)`,
  `create index executions_unfinished on executions (state, application_id) where finished_at is null`,
  `create index executions_finished on executions (finished_at) where finished_at is not null`
]

export const queries = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
