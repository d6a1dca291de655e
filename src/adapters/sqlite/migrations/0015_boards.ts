import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

const statements = [
  `create table boards (
     id text primary key,
     application_id integer not null references applications (id) on delete cascade,
     name text not null,
     description text,
     tiles text not null,
     time text,
     pinned integer not null,
     created_by text,
     created_at text not null,
     updated_at text not null
   ) strict`,
  `create index boards_application on boards (application_id, created_at, id)`
]

export const boards = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
