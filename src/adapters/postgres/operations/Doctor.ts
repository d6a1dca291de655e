import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { bad, type Finding, good } from "../../../domain/operations/Finding.ts"
import { newest } from "../MetadataDb.ts"

/** The oldest version of PostgreSQL that the statements are written for. */
const oldestServer = 15

const Servers = Schema.Tuple(
  Schema.Struct({ version: Schema.Number, standby: Schema.Boolean, migrated: Schema.Boolean })
)
const Schemas = Schema.Tuple(Schema.Struct({ applied: Schema.NullOr(Schema.Number) }))
const Processes = Schema.Tuple(Schema.Struct({ live: Schema.Number }))

const noTables = bad("PostgreSQL has no tables of gamekeeper in this database: the command migrate makes them")

const serverFinding = (version: number): Finding => {
  const major = Math.floor(version / 10_000)
  return major < oldestServer
    ? bad(`PostgreSQL answers; its version is ${major}, and gamekeeper needs ${oldestServer} or newer`)
    : good(`PostgreSQL answers; its version is ${major}`)
}

const schemaFinding = (applied: number | null): Finding => {
  if (applied === null) return noTables
  const schema = `PostgreSQL has schema ${applied}`
  if (applied > newest) return bad(`${schema}, this version knows ${newest} and older ones: upgrade gamekeeper`)
  return applied < newest
    ? bad(`${schema}, this version needs ${newest}: the command migrate, or the next start, brings it there`)
    : good(`${schema}, the one of this version`)
}

const processesFinding = (live: number): Finding =>
  good(live === 1 ? "1 process uses these databases" : `${live} processes use these databases`)

const onItsWay = bad(
  'A data folder is on its way into these databases and has not wholly arrived: run "gamekeeper migrate --to" again until it is done'
)

/** Whether all that a data folder brings has arrived, where one was ever brought. */
export const examineArrival = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const there = yield* sql`select 1 where to_regclass('folder_migration') is not null`
  if (there.length === 0) return []
  const open = yield* sql`select 1 from folder_migration where done_at is null`
  return open.length === 0 ? [] : [onItsWay]
})

/** Looks at the database of the metadata and of the log of markers, without changing it. Running servers do not mind. */
export const examinePostgres = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [server] = yield* Effect.flatMap(
    sql`select current_setting('server_version_num')::int as version, pg_is_in_recovery() as standby,
      to_regclass('effect_sql_migrations') is not null as migrated`,
    Schema.decodeUnknown(Servers)
  )
  const standby = server.standby ? [bad("PostgreSQL is a standby, which takes no writes: name the primary server")] : []
  const findings: ReadonlyArray<Finding> = [serverFinding(server.version), ...standby]
  if (!server.migrated) return [...findings, noTables]
  const [{ applied }] = yield* Effect.flatMap(
    sql`select max(migration_id) as applied from effect_sql_migrations`,
    Schema.decodeUnknown(Schemas)
  )
  const schema = schemaFinding(applied)
  if (!schema.isGood) return [...findings, schema]
  const [{ live }] = yield* Effect.flatMap(
    sql`select count(*)::int as live from peers where until > clock_timestamp()`,
    Schema.decodeUnknown(Processes)
  )
  return [...findings, schema, processesFinding(live)]
})
