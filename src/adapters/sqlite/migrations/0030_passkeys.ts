import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

const statements = [
  `create table passkeys (
     id integer primary key autoincrement,
     user_id text not null references users (id) on delete cascade,
     credential_id text not null unique,
     public_key blob not null,
     counter integer not null,
     transports text not null,
     name text not null,
     created_at text not null,
     last_used_at text
   ) strict`,
  `create index passkeys_users on passkeys (user_id)`,
  `create table passkey_challenges (
     hash text primary key,
     user_id text references users (id) on delete cascade,
     expires_at text not null
   ) strict, without rowid`,
  `create index passkey_challenges_ends on passkey_challenges (expires_at)`
]

/** Keys of people with which they sign in without a password, and what authenticators are asked to sign. */
export const passkeys = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
