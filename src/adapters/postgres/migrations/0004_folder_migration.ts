import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { text } from "./Statements.ts"

const statements = [
  // The data folder that is being brought into these databases, or was.
  `create table folder_migration (
    id bigint primary key check (id = 1),
    source ${text} not null,
    state ${text} not null,
    began_at timestamptz not null default clock_timestamp(),
    done_at timestamptz
  )`,
  // How many rows or markers each of its steps has brought.
  `create table folder_migration_step (
    name ${text} primary key,
    done bigint not null
  )`
]

/** How far the migration of a data folder has come, so that it goes on where it was cut off. */
export const folderMigration = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
