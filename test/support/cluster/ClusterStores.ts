import { Effect, Layer } from "effect"
import { EventStoreMemory } from "../../../src/adapters/memory/analytics/EventStore.ts"
import { PostgresMetadata } from "../../../src/adapters/postgres/Postgres.ts"
import { defaults } from "../../../src/app/Config.ts"
import { freshDatabase } from "./Database.ts"

/** All metadata in a database of its own. */
export const ClusterMetadata = Layer.unwrapScoped(
  Effect.map(freshDatabase, ({ url }) => PostgresMetadata({ url, connections: 10 }))
)

export const ClusterStores = Layer.merge(ClusterMetadata, EventStoreMemory(defaults))
