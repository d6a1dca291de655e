import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { Effect, Layer, Schema } from "effect"
import { MigrationRefused } from "../../../domain/operations/MigrationRefused.ts"
import { unavailableOr } from "../Failures.ts"

/** Tables whose rows do not make a database one that somebody uses: they are made with the tables, or by a server that has served nobody. */
const unused = new Set([
  "changes",
  "cluster_setting",
  "counters",
  "effect_sql_migrations",
  "epochs",
  "experiment_numbers",
  "failures",
  "file_notes",
  "folder_migration",
  "folder_migration_step",
  "peers"
])

const Tables = Schema.Array(Schema.Struct({ name: Schema.String }))
const Found = Schema.Array(Schema.Struct({ found: Schema.Boolean }))
const Begun = Schema.Array(Schema.Struct({ source: Schema.String, state: Schema.String, isDone: Schema.Boolean }))
const Steps = Schema.Array(Schema.Struct({ done: Schema.Number }))

const make = Effect.map(SqlClient.SqlClient, (sql) => {
  const rows = <A, I>(schema: Schema.Schema<A, I>, statement: Effect.Effect<unknown, SqlError>) =>
    Effect.flatMap(statement, (found) => Effect.orDie(Schema.decodeUnknown(schema)(found)))

  const tables = Effect.map(
    rows(Tables, sql`select tablename as name from pg_tables where schemaname = current_schema() order by 1`),
    (all) => all.map(({ name }) => name)
  )

  /** The tables with rows, before anything is changed. */
  const filled = Effect.gen(function* () {
    const present = yield* tables
    const isOurs = present.includes("effect_sql_migrations")
    if (!isOurs) return present
    return yield* Effect.filter(
      present.filter((name) => !unused.has(name) && !name.startsWith("marker_key")),
      (name) =>
        Effect.map(
          rows(Found, sql`select exists (select 1 from ${sql(name)}) as found`),
          ([row]) => row?.found === true
        )
    )
  })

  const begun = Effect.gen(function* () {
    if (!(yield* tables).includes("folder_migration")) return undefined
    const found = yield* rows(Begun, sql`select source, state, done_at is not null as "isDone" from folder_migration`)
    return found[0]
  })

  const processes = Effect.gen(function* () {
    if (!(yield* tables).includes("peers")) return false
    const [row] = yield* rows(Found, sql`select exists (select 1 from peers where until > clock_timestamp()) as found`)
    return row?.found === true
  })

  /** What the target is for this folder. One that holds anything else, or that servers use, is refused. */
  const examine = (source: string, state: string) =>
    Effect.gen(function* () {
      const known = yield* begun
      if (known === undefined) {
        const [table] = yield* filled
        if (table !== undefined)
          return yield* new MigrationRefused({
            message: `The database of --metadata is not empty (table ${table}): name one that has nothing in it. Nothing was changed`
          })
      } else if (known.source !== source) {
        return yield* new MigrationRefused({
          message: "Another data folder was brought into these databases: name empty ones. Nothing was changed"
        })
      } else if (known.isDone) {
        return "done" as const
      } else if (known.state !== state) {
        return yield* new MigrationRefused({
          message:
            "The data folder has changed since its migration began: a server was started over it, or a backup was put back. " +
            "Drop both databases, make them anew, and begin again. Nothing was changed"
        })
      }
      if (yield* processes)
        return yield* new MigrationRefused({
          message: "Servers use these databases: stop them first. Nothing was changed"
        })
      return known === undefined ? ("empty" as const) : ("begun" as const)
    })

  const begin = (source: string, state: string) =>
    sql`insert into folder_migration ${sql.insert({ id: 1, source, state })} on conflict do nothing`

  /** How many rows or markers a step has brought. */
  const reached = (name: string) =>
    Effect.map(
      rows(Steps, sql`select done from folder_migration_step where name = ${name}`),
      ([step]) => step?.done ?? 0
    )

  /** To be part of the transaction that brings them, where there is one. */
  const reach = (name: string, done: number) =>
    sql`insert into folder_migration_step ${sql.insert({ name, done })}
      on conflict (name) do update set done = excluded.done`

  const finish = sql`update folder_migration set done_at = clock_timestamp() where done_at is null`

  return { examine, begin, reached, reach, finish }
})

/** How far the migration of a data folder into this database has come. */
export const makeFolderMigration = make

export type FolderMigration = Effect.Effect.Success<typeof make>

/** Refuses to serve from databases that a migration has not filled yet. */
export const OnlyWhole = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const open = yield* Effect.catchTag(
      sql`select 1 from folder_migration where done_at is null`,
      "SqlError",
      unavailableOr
    )
    if (open.length > 0)
      return yield* new MigrationRefused({
        message:
          'A data folder is on its way into these databases: run "gamekeeper migrate --to" again until it is done'
      })
  })
)
