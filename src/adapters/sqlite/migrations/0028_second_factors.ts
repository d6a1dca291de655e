import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

const statements = [
  `create table authenticators (
     user_id text primary key references users (id) on delete cascade,
     secret text not null,
     created_at text not null,
     confirmed_at text,
     last_step integer not null
   ) strict, without rowid`,
  `create table recovery_codes (
     user_id text not null references users (id) on delete cascade,
     code_hash text not null,
     primary key (user_id, code_hash)
   ) strict, without rowid`
]

/** What people show at the sign-in beside their password. */
export const secondFactors = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
