import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** Drafts have ids of the same numbers as experiments, and become experiments under them. */
const statements = [
  `create table experiment_drafts (
     id integer primary key,
     application_id integer not null references applications (id) on delete cascade,
     environment_id integer not null references environments (id) on delete cascade,
     revision integer not null,
     plan text not null,
     group_ids text not null,
     created_by text,
     created_at text not null,
     updated_at text not null
   ) strict`,
  `create index experiment_drafts_environment on experiment_drafts (environment_id, id)`,
  `create index experiment_drafts_application on experiment_drafts (application_id)`
]

export const experimentDrafts = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
