import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { builtins, getTypeParser } from "pg-types"
import { type ClickHouse, ClickHouseLive } from "../../src/adapters/clickhouse/ClickHouse.ts"
import { EventStoreClickHouse } from "../../src/adapters/clickhouse/analytics/EventStore.ts"
import { TurnsLocal } from "../../src/adapters/local/Turns.ts"
import { eventLogTables } from "../../src/adapters/postgres/analytics/EventLogTables.ts"

/** Whether the suites run over PostgreSQL and ClickHouse, as under `npm run test:cluster`. */
export const isCluster = process.env["GAMEKEEPER_TEST_STORES"] === "cluster"

const postgresUrl = process.env["GAMEKEEPER_TEST_POSTGRES"] ?? ""
const clickHouseUrl = process.env["GAMEKEEPER_TEST_CLICKHOUSE"] ?? ""

/** Whole numbers of 64 bits, which come as texts, as numbers: ours are below 2^53. */
const types = {
  getTypeParser: (id: number, format?: "text" | "binary") =>
    id === builtins.INT8 ? Number : format === "binary" ? getTypeParser(id, format) : getTypeParser(id)
}

const freshName = () => `t${randomUUID().replaceAll("-", "")}`

const connected = (database: string) => {
  const url = new URL(postgresUrl)
  url.pathname = `/${database}`
  return PgClient.layer({ url: Redacted.make(url.href), types })
}

/** Makes a database of PostgreSQL with the tables of the log, and answers its name. */
export const freshPostgres = Effect.gen(function* () {
  const name = freshName()
  yield* Effect.provide(
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql`create database ${sql(name)}`),
    connected("postgres")
  )
  yield* Effect.provide(eventLogTables, connected(name))
  return name
})

/** The databases of one event store, which several processes may share. */
export interface Databases {
  readonly postgres: string
  readonly clickHouse: { readonly url: string; readonly database: string }
}

/** Databases of their own, in the engines of all tests or in another ClickHouse. */
export const freshDatabases = (url = clickHouseUrl) =>
  Effect.map(freshPostgres, (postgres): Databases => ({ postgres, clickHouse: { url, database: freshName() } }))

/** The event store on databases that are there; `changed` may stand between it and ClickHouse. */
export const eventsOn = (
  { postgres, clickHouse }: Databases,
  dedupeDays: number,
  changed: <E>(layer: Layer.Layer<ClickHouse, E>) => Layer.Layer<ClickHouse, E> = (layer) => layer
) =>
  EventStoreClickHouse({ dedupeDays, budget: 60_000, rows: 1_000_000, forgetsIds: false }).pipe(
    Layer.provide(TurnsLocal),
    Layer.provide(changed(ClickHouseLive({ ...clickHouse, timeout: 60_000 }))),
    Layer.provide(connected(postgres)),
    Layer.orDie
  )

/** The event store on databases of its own. */
export const clusterEvents = (dedupeDays: number) =>
  Layer.unwrapEffect(Effect.orDie(Effect.map(Effect.suspend(freshDatabases), (own) => eventsOn(own, dedupeDays))))
