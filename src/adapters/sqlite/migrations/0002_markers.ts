import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

const statements = [
  `create table marker_types (
     environment_id integer not null references environments (id) on delete cascade,
     name text not null,
     display_name text,
     description text,
     hidden integer not null,
     primary key (environment_id, name)
   ) strict, without rowid`,
  `create table marker_arguments (
     environment_id integer not null references environments (id) on delete cascade,
     type text not null,
     name text not null,
     description text,
     unit text,
     decimals integer,
     primary key (environment_id, type, name)
   ) strict, without rowid`,
  `create table heatmaps (
     ordinal integer primary key autoincrement,
     id text not null unique,
     application_id integer not null references applications (id) on delete cascade,
     name text not null,
     description text,
     bounds text not null,
     resolution_factor real not null,
     image_tag text,
     created_at text not null
   ) strict`,
  `create index heatmaps_application on heatmaps (application_id)`,
  `create table heatmap_images (
     heatmap_id text primary key references heatmaps (id) on delete cascade,
     content_type text not null,
     bytes blob not null
   ) strict`
]

export const markers = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
