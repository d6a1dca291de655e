import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

const statements = [
  `create table deeplinks (
     id text primary key,
     application_id integer not null references applications (id) on delete cascade,
     name text not null,
     slug text not null unique,
     type text not null,
     redirect_url text not null,
     metadata text not null,
     conversion_marker text not null,
     attribution_window_hours integer not null,
     created_at text not null,
     updated_at text not null,
     archived_at text
   ) strict`,
  `create index deeplinks_application on deeplinks (application_id, created_at, id)`,
  `create table deeplink_clicks (
     interaction_id text primary key,
     deeplink_id text not null references deeplinks (id) on delete cascade,
     clicked_at integer not null,
     expires_at integer not null,
     source text,
     country text,
     device text not null,
     visitor text not null
   ) strict, without rowid`,
  `create index deeplink_clicks_deeplink on deeplink_clicks (deeplink_id)`,
  `create index deeplink_clicks_expiry on deeplink_clicks (expires_at)`,
  `create table deeplink_visitors (
     deeplink_id text not null references deeplinks (id) on delete cascade,
     visitor text not null,
     primary key (deeplink_id, visitor)
   ) strict, without rowid`,
  `create table deeplink_slots (
     deeplink_id text not null references deeplinks (id) on delete cascade,
     slot integer not null,
     source text not null,
     country text not null,
     device text not null,
     clicks integer not null,
     unique_clicks integer not null,
     primary key (deeplink_id, slot, source, country, device)
   ) strict, without rowid`,
  `create table deeplink_conversions (
     interaction_id text not null,
     unit_id text not null,
     deeplink_id text not null references deeplinks (id) on delete cascade,
     environment_id integer not null references environments (id) on delete cascade,
     clicked_at integer not null,
     expires_at integer not null,
     converted_at integer not null,
     source text,
     country text,
     device text not null,
     primary key (interaction_id, unit_id, environment_id)
   ) strict, without rowid`,
  `create index deeplink_conversions_deeplink on deeplink_conversions (deeplink_id, clicked_at)`,
  `create index deeplink_conversions_unit on deeplink_conversions (environment_id, unit_id)`
]

export const deeplinks = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
