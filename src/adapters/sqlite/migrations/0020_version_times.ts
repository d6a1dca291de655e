import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** Versions by time with all that a list of them shows: in the table these columns lie behind documents of up to a mebibyte. */
export const versionTimes = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`create index configuration_versions_created
    on configuration_versions (configuration_id, created_at, version, hash, reason, created_by)`
)
