import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

const statements = [
  `alter table organizations add column requires_second_factor integer not null default 0`,
  `alter table browser_accounts add column by_password_alone integer not null default 1`,
  `update browser_accounts set by_password_alone = 0
     where user_id in (select user_id from authenticators where confirmed_at is not null)`
]

/** Whether an organization demands a second factor, and which sessions have shown none. */
export const demandedFactors = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
