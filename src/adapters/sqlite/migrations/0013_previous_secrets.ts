import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** A rotated key may keep its previous secret until an instant. Both columns are null for every key until it is rotated again. */
const statements = [
  `alter table credentials add column previous_secret_hash text`,
  `alter table credentials add column previous_valid_until text`,
  `create unique index credentials_previous_secret on credentials (previous_secret_hash)`
]

export const previousSecrets = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
