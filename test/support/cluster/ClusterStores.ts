import { Effect, Layer, Option, Redacted } from "effect"
import { EventStoreMemory } from "../../../src/adapters/memory/analytics/EventStore.ts"
import { PostgresMetadata } from "../../../src/adapters/postgres/Postgres.ts"
import { defaults } from "../../../src/app/Config.ts"
import { freshDatabase } from "./Database.ts"
import { eventsBeside, freshDatabases } from "./EventStores.ts"
import { type Databases, SharedDatabases } from "./SharedDatabases.ts"

/** All metadata in a database of its own. */
export const ClusterMetadata = Layer.unwrapScoped(
  Effect.map(freshDatabase, ({ url }) => PostgresMetadata({ url, connections: 10 }))
)

const databases = Effect.flatMap(
  Effect.serviceOption(SharedDatabases),
  Option.match({ onNone: () => freshDatabases(), onSome: (shared) => Effect.succeed(shared) })
)

/** In memory where a run has no ClickHouse. */
const eventsOf = (own: Databases) =>
  process.env["GAMEKEEPER_TEST_CLICKHOUSE"] === undefined
    ? EventStoreMemory(defaults)
    : eventsBeside(own, defaults.dedupeDays)

/** Metadata and the log of markers in one database, markers in one of ClickHouse: a process's own, or what it shares with others. */
export const ClusterStores = Layer.unwrapScoped(
  Effect.map(databases, (own) =>
    Layer.provideMerge(eventsOf(own), PostgresMetadata({ url: Redacted.make(own.postgres), connections: 10 }))
  )
)
