import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { refusesOrphans } from "./Statements.ts"

/** Nothing new goes with a record that was removed meanwhile. What went with one before stays hidden, and is deleted as ever. */
export const rowsWithRecords = Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(refusesOrphans))
