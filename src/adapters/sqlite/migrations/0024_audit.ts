import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

const statements = [
  // What is wanted of an entry to find it; all that it says is in its content, which the hash covers.
  `create table audit_entries (
     organization_id integer not null references organizations (id) on delete cascade,
     number integer not null,
     at integer not null,
     user_id text,
     operation text not null,
     kind text not null,
     object_id text,
     application_id integer,
     content text not null,
     previous text not null,
     hash text not null,
     primary key (organization_id, number)
   ) strict`,
  `create index audit_entries_objects on audit_entries (organization_id, kind, object_id, number)`,
  `create index audit_entries_users on audit_entries (organization_id, user_id, number)`,
  // Where the log of an organization ends, and from which entry on it is kept.
  `create table audit_chains (
     organization_id integer primary key references organizations (id) on delete cascade,
     last integer not null,
     last_hash text not null,
     first integer not null,
     anchor text not null
   ) strict`,
  // Changes that have begun and not ended.
  `create table audit_begun (
     id text primary key,
     organization_id integer not null references organizations (id) on delete cascade,
     at integer not null,
     content text not null
   ) strict, without rowid`
]

/** Who changed what. */
export const audit = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
