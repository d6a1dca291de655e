import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** How often an execution was begun without coming to an end: one that ends the server each time is not begun for ever. */
export const executionAttempts = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`alter table executions add column attempts integer not null default 0`
)
