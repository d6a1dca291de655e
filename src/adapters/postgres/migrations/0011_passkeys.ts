import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { ownId, text } from "./Statements.ts"

const statements = [
  `create table passkeys (
     id ${ownId("passkeys")},
     user_id ${text} not null references users (id) on delete cascade,
     credential_id ${text} not null unique,
     public_key bytea not null,
     counter bigint not null,
     transports ${text} not null,
     name ${text} not null,
     created_at ${text} not null,
     last_used_at ${text}
   )`,
  `create index passkeys_users on passkeys (user_id)`,
  `create table passkey_challenges (
     hash ${text} primary key,
     user_id ${text} references users (id) on delete cascade,
     expires_at ${text} not null
   )`,
  `create index passkey_challenges_ends on passkey_challenges (expires_at)`
]

/** Keys of people with which they sign in without a password, and what authenticators are asked to sign. */
export const passkeys = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
