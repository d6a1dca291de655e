import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { builtins, getTypeParser } from "pg-types"
import { ClickHouseLive } from "../../src/adapters/clickhouse/ClickHouse.ts"
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

const connected = (database: string) => {
  const url = new URL(postgresUrl)
  url.pathname = `/${database}`
  return PgClient.layer({ url: Redacted.make(url.href), types })
}

/** A database of PostgreSQL of its own. */
const FreshPostgres = Layer.unwrapEffect(
  Effect.gen(function* () {
    const name = `t${randomUUID().replaceAll("-", "")}`
    yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`create database ${sql(name)}`).pipe(
      Effect.provide(connected("postgres"))
    )
    return Layer.effectDiscard(eventLogTables).pipe(Layer.provideMerge(connected(name)))
  })
)

const FreshClickHouse = Layer.unwrapEffect(
  Effect.sync(() =>
    ClickHouseLive({ url: clickHouseUrl, database: `t${randomUUID().replaceAll("-", "")}`, timeout: 60_000 })
  )
)

/** The event store on databases of its own. */
export const clusterEvents = (dedupeDays: number) =>
  Layer.suspend(() =>
    EventStoreClickHouse({ dedupeDays, budget: 60_000, rows: 1_000_000, forgetsIds: false }).pipe(
      Layer.provide(TurnsLocal),
      Layer.provide(FreshClickHouse),
      Layer.provide(FreshPostgres),
      Layer.orDie
    )
  )
