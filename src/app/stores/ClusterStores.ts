import { Config, Effect, Layer } from "effect"
import { ProjectCache } from "../../adapters/cache/ProjectCache.ts"
import { EventStoreClickHouse } from "../../adapters/clickhouse/analytics/EventStore.ts"
import { unusable } from "../../adapters/clickhouse/analytics/Problems.ts"
import { ClickHouseLive } from "../../adapters/clickhouse/ClickHouse.ts"
import { LogClient } from "../../adapters/postgres/LogClient.ts"
import { AgreedSettings } from "../../adapters/postgres/operations/AgreedSettings.ts"
import { OnlyWhole } from "../../adapters/postgres/operations/FolderMigration.ts"
import { PostgresMetadata } from "../../adapters/postgres/Postgres.ts"
import type { Configuration } from "../Config.ts"
import { sharedSettings } from "../SharedSettings.ts"
import { clickHouseOf } from "../Addresses.ts"
import { markerWorker } from "../Workers.ts"
import { organizationOf } from "./OrganizationOf.ts"

/** The password of ClickHouse, for whoever would rather not have it in the address. */
export const eventsPassword = Config.option(Config.redacted("GAMEKEEPER_EVENTS_PASSWORD"))

/** Connections of one process for statements about metadata, and for the log of markers. */
const connections = { metadata: 10, log: 4 }

/** Rows that one question may bring into a thread of this process. */
const rows = 5_000_000

/** Milliseconds that ClickHouse has for an answer beyond the budget of a question. */
const grace = 30_000

/**
 * Metadata and the log of markers in PostgreSQL, markers in ClickHouse: any number of processes share them. A process whose settings differ
 * from those of the others is refused. This file and what it imports is loaded only where it is asked for.
 */
export const ClusterStores = (configuration: Configuration) =>
  Layer.unwrapEffect(
    Effect.map(eventsPassword, (password) => {
      const { metadata, events, dedupeDays, queryTimeoutSeconds } = configuration
      const budget = queryTimeoutSeconds * 1000
      const log = LogClient({ url: metadata, connections: connections.log })
      const clickHouseOptions = { ...clickHouseOf(events, password), timeout: budget + grace }
      const clickHouse = Layer.mapError(ClickHouseLive(clickHouseOptions), unusable)
      const threads = { script: markerWorker, clickHouse: clickHouseOptions }
      const options = { dedupeDays, budget, rows, forgetsIds: true, threads }
      const store = Layer.unwrapEffect(
        Effect.map(organizationOf, (own) => EventStoreClickHouse({ ...options, organizationOf: own }))
      )
      return store.pipe(
        Layer.provide(clickHouse),
        Layer.provide(Layer.provideMerge(AgreedSettings(sharedSettings(configuration)), OnlyWhole)),
        Layer.provide(log),
        Layer.provideMerge(ProjectCache),
        Layer.provideMerge(PostgresMetadata({ url: metadata, connections: connections.metadata }))
      )
    })
  )
