import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { text } from "./Statements.ts"

const statements = [
  `create table audit_entries (
     organization_id bigint not null references organizations (id) on delete cascade,
     number bigint not null,
     at bigint not null,
     user_id ${text},
     operation ${text} not null,
     kind ${text} not null,
     object_id ${text},
     application_id bigint,
     content ${text} not null,
     previous ${text} not null,
     hash ${text} not null,
     primary key (organization_id, number)
   )`,
  `create index audit_entries_objects on audit_entries (organization_id, kind, object_id, number)`,
  `create index audit_entries_users on audit_entries (organization_id, user_id, number)`,
  `create table audit_chains (
     organization_id bigint primary key references organizations (id) on delete cascade,
     last bigint not null,
     last_hash ${text} not null,
     first bigint not null,
     anchor ${text} not null
   )`,
  `create table audit_begun (
     id ${text} primary key,
     organization_id bigint not null references organizations (id) on delete cascade,
     at bigint not null,
     content ${text} not null
   )`
]

/** Who changed what. */
export const audit = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
