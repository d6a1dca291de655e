import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * What lists show of configurations, and which executions have ended: in the tables these columns lie behind documents and results of up to a
 * mebibyte each, all pages of which are read on the way.
 */
const statements = [
  `create index configurations_summaries on configurations (environment_id, id, application_id, name, alias, description, privacy,
    schema, key_descriptions, is_primary, hash, version, created_at, updated_at, updated_by, document_sum, row_sum)`,
  `create index executions_ended on executions (environment_id) where finished_at is not null`
]

export const readBesideDocuments = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
