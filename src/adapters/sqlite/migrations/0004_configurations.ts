import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

const statements = [
  `create table configurations (
     id integer primary key autoincrement,
     application_id integer not null references applications (id) on delete cascade,
     environment_id integer not null references environments (id) on delete cascade,
     name text not null,
     alias text,
     description text,
     document text not null,
     privacy text not null,
     schema text,
     key_descriptions text not null,
     is_primary integer not null,
     hash text not null,
     version integer not null,
     created_at text not null,
     updated_at text not null,
     updated_by text
   ) strict`,
  `create unique index configurations_name on configurations (environment_id, name)`,
  `create unique index configurations_alias on configurations (environment_id, alias)`,
  `create unique index configurations_primary on configurations (environment_id) where is_primary = 1`,
  `create index configurations_application on configurations (application_id)`,
  `create table configuration_links (
     configuration_id integer not null references configurations (id) on delete cascade,
     target_id integer not null,
     primary key (configuration_id, target_id)
   ) strict, without rowid`,
  `create index configuration_links_target on configuration_links (target_id)`,
  `create table configuration_versions (
     configuration_id integer not null references configurations (id) on delete cascade,
     version integer not null,
     hash text not null,
     document text not null,
     privacy text not null,
     reason text,
     created_at text not null,
     created_by text,
     primary key (configuration_id, version)
   ) strict`
]

export const configurations = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
