import { Migrator, SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { Data, Effect, Layer, Schema } from "effect"
import { PostgresClient } from "./Client.ts"
import { unusableText } from "./Failures.ts"
import { first } from "./migrations/0001_first.ts"
import { eventLog } from "./migrations/0002_event_log.ts"
import { clusterSettings } from "./migrations/0003_cluster_settings.ts"
import { folderMigration } from "./migrations/0004_folder_migration.ts"
import { audit } from "./migrations/0005_audit.ts"
import { webhooks } from "./migrations/0006_webhooks.ts"
import { accounts } from "./migrations/0007_accounts.ts"
import { alerts } from "./migrations/0008_alerts.ts"
import { secondFactors } from "./migrations/0009_second_factors.ts"
import { identities } from "./migrations/0010_identities.ts"
import { demandedFactors } from "./migrations/0012_demanded_factors.ts"
import { passkeys } from "./migrations/0011_passkeys.ts"
import { appendMarkers } from "./migrations/0013_append_markers.ts"
import { unmarkedUnits } from "./migrations/0015_unmarked_units.ts"
import { rowsWithRecords } from "./migrations/0016_rows_with_records.ts"
import { executionAttempts } from "./migrations/0017_execution_attempts.ts"
import { renamedWebhookTypes } from "../sql/operations/WebhookTypes.ts"
import type { PostgresOptions } from "./Pool.ts"

/** The database cannot be used as it is; the message says why. */
export class DatabaseUnusable extends Data.TaggedError("DatabaseUnusable")<{ readonly message: string }> {}

/** Every step, in the order of its number. */
export const migrations = {
  "0001_first": first,
  "0002_event_log": eventLog,
  "0003_cluster_settings": clusterSettings,
  "0004_folder_migration": folderMigration,
  "0005_audit": audit,
  "0006_webhooks": webhooks,
  "0007_accounts": accounts,
  "0008_alerts": alerts,
  "0009_second_factors": secondFactors,
  "0010_identities": identities,
  "0011_passkeys": passkeys,
  "0012_demanded_factors": demandedFactors,
  "0013_append_markers": appendMarkers,
  "0014_webhook_types": renamedWebhookTypes,
  "0015_unmarked_units": unmarkedUnits,
  "0016_rows_with_records": rowsWithRecords,
  "0017_execution_attempts": executionAttempts
}

/** The newest schema that this version knows. */
export const newest = Math.max(...Object.keys(migrations).map((name) => Number(name.split("_")[0])))

const Applied = Schema.Struct({ migrationId: Schema.Number })

const migrate = Migrator.make({})({ loader: Migrator.fromRecord(migrations) })

/** One process migrates, while all others that start wait for it. */
const prepare = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // The migrator would look for its table by a statement that fails, which ends a transaction of PostgreSQL.
  yield* sql`create table if not exists effect_sql_migrations (
    migration_id integer primary key, created_at timestamptz not null default now(), name text not null)`
  yield* migrate
  const rows = yield* sql`select max(migration_id) as migration_id from effect_sql_migrations`
  const [applied] = yield* Schema.decodeUnknown(Schema.Array(Applied))(rows)
  const version = applied?.migrationId ?? 0
  if (version > newest) {
    return yield* new DatabaseUnusable({
      message: `The database was written by a newer version (schema ${version}, this one knows ${newest}): upgrade gamekeeper`
    })
  }
})

/** Such as a password that is wrong, or a database that nobody has made: the driver alone knows. */
const unusable = (error: SqlError) => Effect.fail(new DatabaseUnusable({ message: unusableText(error) }))

const prepared = Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(prepare)).pipe(
  Effect.catchTags({ SqlError: unusable, ParseError: Effect.die, MigrationError: Effect.die })
)

/** The migrated database of the metadata. */
export const MetadataDb = (options: PostgresOptions) =>
  Layer.effectDiscard(prepared).pipe(Layer.provideMerge(PostgresClient(options)))
