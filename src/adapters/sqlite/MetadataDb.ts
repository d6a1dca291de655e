import { Migrator, SqlClient } from "@effect/sql"
import Database from "better-sqlite3"
import { Effect, Layer, Schema } from "effect"
import { DataFolderUnusable } from "./DataFolder.ts"
import { ExclusiveClient, MemoryClient } from "./ExclusiveClient.ts"
import { guardMetadata, MetadataLog } from "./MetadataGuard.ts"
import { access } from "./migrations/0001_access.ts"
import { markers } from "./migrations/0002_markers.ts"
import { queries } from "./migrations/0003_queries.ts"
import { configurations } from "./migrations/0004_configurations.ts"
import { cohorts } from "./migrations/0005_cohorts.ts"
import { deeplinks } from "./migrations/0006_deeplinks.ts"
import { experiments } from "./migrations/0007_experiments.ts"
import { assignments } from "./migrations/0008_assignments.ts"
import { players } from "./migrations/0009_players.ts"
import { legacy } from "./migrations/0010_legacy.ts"
import { retention } from "./migrations/0011_retention.ts"
import { unitSights } from "./migrations/0012_unit_sights.ts"
import { previousSecrets } from "./migrations/0013_previous_secrets.ts"
import { erasures } from "./migrations/0014_erasures.ts"
import { boards } from "./migrations/0015_boards.ts"
import { filePair } from "./migrations/0016_file_pair.ts"
import { pageToken } from "./migrations/0017_page_token.ts"
import { savedQueries } from "./migrations/0018_saved_queries.ts"
import { rowSums } from "./migrations/0019_row_sums.ts"
import { versionTimes } from "./migrations/0020_version_times.ts"
import { experimentDrafts } from "./migrations/0021_experiment_drafts.ts"
import { sharing } from "./migrations/0022_sharing.ts"
import { unmarkedExposures } from "./migrations/0023_unmarked_exposures.ts"
import { audit } from "./migrations/0024_audit.ts"
import { webhooks } from "./migrations/0025_webhooks.ts"
import { accounts } from "./migrations/0026_accounts.ts"
import { alerts } from "./migrations/0027_alerts.ts"
import { secondFactors } from "./migrations/0028_second_factors.ts"
import { identities } from "./migrations/0029_identities.ts"
import { renamedWebhookTypes } from "../sql/operations/WebhookTypes.ts"
import { assignmentsByUnit } from "./migrations/0032_assignments_by_unit.ts"
import { unmarkedUnits } from "./migrations/0034_unmarked_units.ts"
import { totalsByCommit } from "./migrations/0035_totals_by_commit.ts"
import { readBesideDocuments } from "./migrations/0036_read_beside_documents.ts"
import { executionAttempts } from "./migrations/0037_execution_attempts.ts"
import { demandedFactors } from "./migrations/0031_demanded_factors.ts"
import { passkeys } from "./migrations/0030_passkeys.ts"

/** The steps of the tables, by the names under which a database remembers which of them it has. */
export const migrations = {
  "0001_access": access,
  "0002_markers": markers,
  "0003_queries": queries,
  "0004_configurations": configurations,
  "0005_cohorts": cohorts,
  "0006_deeplinks": deeplinks,
  "0007_experiments": experiments,
  "0008_assignments": assignments,
  "0009_players": players,
  "0010_legacy": legacy,
  "0011_retention": retention,
  "0012_unit_sights": unitSights,
  "0013_previous_secrets": previousSecrets,
  "0014_erasures": erasures,
  "0015_boards": boards,
  "0016_file_pair": filePair,
  "0017_page_token": pageToken,
  "0018_saved_queries": savedQueries,
  "0019_row_sums": rowSums,
  "0020_version_times": versionTimes,
  "0021_experiment_drafts": experimentDrafts,
  "0022_sharing": sharing,
  "0023_unmarked_exposures": unmarkedExposures,
  "0024_audit": audit,
  "0025_webhooks": webhooks,
  "0026_accounts": accounts,
  "0027_alerts": alerts,
  "0028_second_factors": secondFactors,
  "0029_identities": identities,
  "0030_passkeys": passkeys,
  "0031_demanded_factors": demandedFactors,
  "0032_assignments_by_unit": assignmentsByUnit,
  "0033_webhook_types": renamedWebhookTypes,
  "0034_unmarked_units": unmarkedUnits,
  "0035_totals_by_commit": totalsByCommit,
  "0036_read_beside_documents": readBesideDocuments,
  "0037_execution_attempts": executionAttempts
}

/** The number of the newest migration that this version knows. */
export const newestMigration = Math.max(...Object.keys(migrations).map((name) => Number(name.split("_")[0])))

const Applied = Schema.Struct({ migrationId: Schema.Number })

const pragmas = ["foreign_keys = on", "busy_timeout = 5000", "secure_delete = on"]

const migrate = Migrator.make({})({ loader: Migrator.fromRecord(migrations) })

/** Refuses a database to which a newer version has applied migrations that this one does not have. */
const refuseNewer = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`select migration_id from effect_sql_migrations order by migration_id desc limit 1`
  const applied = yield* Schema.decodeUnknown(Schema.Array(Applied))(rows)
  const version = applied[0]?.migrationId ?? 0
  if (version > newestMigration) {
    return yield* new DataFolderUnusable({
      message: `The data folder was written by a newer version (schema ${version}, this one knows ${newestMigration}): upgrade gamekeeper`
    })
  }
})

const prepare = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const pragma of pragmas) yield* sql.unsafe(`pragma ${pragma}`)
  yield* migrate
  yield* refuseNewer
}).pipe(Effect.catchTags({ SqlError: Effect.die, ParseError: Effect.die, MigrationError: Effect.die }))

/** Checkpoints go through the guard, which keeps the checksums of all pages. */
const leaveCheckpoints = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`pragma wal_autocheckpoint = 0`)

const prepared = (database: Database.Database) =>
  Layer.effectDiscard(prepare).pipe(Layer.provideMerge(MemoryClient(database)))

/**
 * What all migrations make of an empty database, once for all databases in memory of this process: to migrate each of them would take a fifth
 * of the processor time in which a test opens the API over it.
 */
const migrated = Effect.runSync(
  Effect.suspend(() => {
    const database = new Database(":memory:")
    return Effect.map(Layer.build(prepared(database)), () => database.serialize())
  }).pipe(Effect.scoped, Effect.cached)
)

const inMemory = Layer.unwrapEffect(Effect.map(migrated, (bytes) => prepared(new Database(bytes)))).pipe(
  Layer.merge(Layer.succeed(MetadataLog, { empty: Effect.void }))
)

const inFile = Effect.fnUntraced(function* (filename: string, checkpointWorker: string | undefined) {
  const { start, empty, onCommit } = yield* guardMetadata(filename, checkpointWorker)
  return Layer.mergeAll(
    Layer.scopedDiscard(Effect.all([Effect.orDie(leaveCheckpoints), prepare, start])),
    Layer.succeed(MetadataLog, { empty })
  ).pipe(Layer.provideMerge(ExclusiveClient(filename, onCommit)))
})

/**
 * The migrated metadata database: this process's one connection to it that writes, beside that of its guard. `checkpointWorker` is the
 * built file of the worker that brings a long log into the file.
 */
export const MetadataDb = (filename: string, checkpointWorker?: string) =>
  filename === ":memory:" ? inMemory : Layer.unwrapScoped(inFile(filename, checkpointWorker))
