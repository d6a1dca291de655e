import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

const statements = [
  `alter table webhooks add column format text not null default 'standard'`,
  `create table alerts (
     id text primary key,
     application_id integer not null,
     environment_id integer not null references environments (id) on delete cascade,
     name text not null,
     description text,
     watch text not null,
     delay_minutes integer not null,
     is_active integer not null,
     state text not null,
     since text not null,
     found text,
     problem text,
     failures integer not null,
     calm integer not null,
     next_at integer not null,
     muted_until text,
     created_by text,
     updated_by text,
     created_at text not null,
     updated_at text not null
   ) strict, without rowid`,
  `create index alerts_environments on alerts (environment_id, created_at)`,
  `create index alerts_due on alerts (next_at) where is_active = 1`,
  `create table alert_incidents (
     id integer primary key autoincrement,
     alert_id text not null references alerts (id) on delete cascade,
     started_at text not null,
     ended_at text,
     text text not null,
     look text not null,
     objects text not null,
     told integer not null,
     acknowledged_by text,
     acknowledged_at text,
     note text
   ) strict`,
  `create index alert_incidents_alerts on alert_incidents (alert_id, id)`,
  // An alert has one incident at a time.
  `create unique index alert_incidents_open on alert_incidents (alert_id) where ended_at is null`,
  `create index alert_incidents_old on alert_incidents (ended_at) where ended_at is not null`
]

/** Alerts, what they have found, and webhooks that are written to as to people. */
export const alerts = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
