import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

const statements = [
  `create table cohorts (
     id integer primary key autoincrement,
     application_id integer not null references applications (id) on delete cascade,
     environment_id integer not null references environments (id) on delete cascade,
     name text not null,
     name_key text not null,
     description text,
     kind text not null,
     definition text,
     markers text not null,
     cohort_ids text not null,
     revision integer not null,
     status text not null,
     member_count integer not null,
     computed_at text,
     error text,
     due_at text,
     started_at text,
     failures integer not null,
     highest_sequence integer not null,
     created_by text,
     created_at text not null,
     updated_at text not null,
     unique (environment_id, name_key)
   ) strict`,
  `create index cohorts_application on cohorts (application_id)`,
  `create index cohorts_due on cohorts (due_at, id) where due_at is not null and started_at is null`,
  `create table cohort_runs (
     ordinal integer primary key autoincrement,
     cohort_id integer not null references cohorts (id) on delete cascade,
     at text not null,
     member_count integer not null,
     entered integer not null,
     "left" integer not null
   ) strict`,
  `create index cohort_runs_cohort on cohort_runs (cohort_id, ordinal)`
]

export const cohorts = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
