import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { ownId, text } from "./Statements.ts"

const statements = [
  `create table identities (
     id ${ownId("identities")},
     user_id ${text} not null references users (id) on delete cascade,
     issuer ${text} not null,
     subject ${text} not null,
     email ${text} not null,
     created_at ${text} not null,
     last_used_at ${text} not null,
     unique (issuer, subject),
     unique (user_id, issuer)
   )`,
  `create table given_memberships (
     membership_id bigint primary key references memberships (id) on delete cascade
   )`
]

/** Who people are at providers of identities, and which memberships came by groups there. */
export const identities = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
