import { Effect, Layer, Redacted } from "effect"
import { PostgresMetadata } from "../../../src/adapters/postgres/Postgres.ts"
import { defaults } from "../../../src/app/Config.ts"
import { freshDatabase } from "./Database.ts"
import { eventsBeside } from "./EventStores.ts"

/** All metadata in a database of its own. */
export const ClusterMetadata = Layer.unwrapScoped(
  Effect.map(freshDatabase, ({ url }) => PostgresMetadata({ url, connections: 10 }))
)

/** Metadata and the log of markers in a database of their own, markers in one of ClickHouse. */
export const ClusterStores = Layer.unwrapScoped(
  Effect.map(freshDatabase, ({ url }) =>
    Layer.provideMerge(
      eventsBeside(Redacted.value(url), defaults.dedupeDays),
      PostgresMetadata({ url, connections: 10 })
    )
  )
)
