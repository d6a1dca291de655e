import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * Assignments that are new are counted by whoever inserts them, once for each group and commit (`adapters/sql/experiments/AssignmentTotals.ts`):
 * a trigger counted each row by itself, which was a quarter of what storing it cost. Those that are moved or removed, which is rare, still have triggers.
 */
export const totalsByCommit = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`drop trigger assignments_inserted`)
