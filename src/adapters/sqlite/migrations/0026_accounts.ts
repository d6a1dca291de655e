import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

const statements = [
  `create table password_resets (
     user_id text primary key references users (id) on delete cascade,
     token_hash text not null unique,
     organization_id integer references organizations (id) on delete cascade,
     handed_out_by text references users (id) on delete cascade,
     created_at text not null,
     expires_at text not null
   ) strict, without rowid`,
  `create table sign_ins (
     id integer primary key autoincrement,
     user_id text not null references users (id) on delete cascade,
     outcome text not null,
     browser text,
     address text,
     at text not null
   ) strict`,
  `create index sign_ins_users on sign_ins (user_id, id)`,
  `alter table browser_accounts add column browser text`,
  `alter table browser_accounts add column address text`
]

/** How people get back into their accounts, and where they are signed in. */
export const accounts = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
