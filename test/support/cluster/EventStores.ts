import { Effect, Layer, Redacted, type Scope } from "effect"
import { randomUUID } from "node:crypto"
import { ClickHouse, ClickHouseLive } from "../../../src/adapters/clickhouse/ClickHouse.ts"
import {
  type ClickHouseStoreOptions,
  EventStoreClickHouse
} from "../../../src/adapters/clickhouse/analytics/EventStore.ts"
import { LogClient } from "../../../src/adapters/postgres/LogClient.ts"
import { TurnsPostgres } from "../../../src/adapters/postgres/Turns.ts"
import { markerWorker } from "../Workers.ts"
import { freshDatabase } from "./Database.ts"
import type { Databases } from "./SharedDatabases.ts"

const clickHouseUrl = process.env["GAMEKEEPER_TEST_CLICKHOUSE"] ?? ""

/** A database of ClickHouse of one's own, in the engine of all tests or in another. */
export const freshClickHouse = (url = clickHouseUrl) => ({ url, database: `t${randomUUID().replaceAll("-", "")}` })

/** Databases of one's own, until the scope closes. */
export const freshDatabases = (url?: string): Effect.Effect<Databases, never, Scope.Scope> =>
  Effect.map(freshDatabase, (postgres) => ({
    postgres: Redacted.value(postgres.url),
    clickHouse: freshClickHouse(url)
  }))

type Changed = <E>(layer: Layer.Layer<ClickHouse, E>) => Layer.Layer<ClickHouse, E>

const unchanged: Changed = (layer) => layer

type Limits = Partial<Pick<ClickHouseStoreOptions, "budget" | "memory">>

const optionsOf = (postgres: string) => ({ url: Redacted.make(postgres), connections: 4 })

/** The event store in its turns; `changed` may stand between it and ClickHouse. */
const events = ({ postgres, clickHouse }: Databases, dedupeDays: number, changed: Changed, limits: Limits = {}) => {
  const options = { ...clickHouse, timeout: 60_000 }
  // What stands between is not in the threads.
  const threads = changed === unchanged ? { threads: { script: markerWorker, clickHouse: options } } : {}
  return EventStoreClickHouse({
    dedupeDays,
    budget: 60_000,
    rows: 1_000_000,
    forgetsIds: false,
    ...threads,
    ...limits
  }).pipe(Layer.provide(changed(ClickHouseLive(options))), Layer.provide(LogClient(optionsOf(postgres))), Layer.orDie)
}

/** The event store on databases that are there. */
export const eventsOn = (databases: Databases, dedupeDays: number, changed: Changed = unchanged) =>
  Layer.provide(events(databases, dedupeDays, changed), TurnsPostgres(optionsOf(databases.postgres)))

/** The event store on databases that are there, with limits of its own for each question. */
export const limitedEventsOn = (databases: Databases, limits: Limits) =>
  Layer.provide(events(databases, 7, unchanged, limits), TurnsPostgres(optionsOf(databases.postgres)))

/** The event store beside the metadata in the same database, with their turns. */
export const eventsBeside = (databases: Databases, dedupeDays: number) => events(databases, dedupeDays, unchanged)

/** The event store on databases of its own. */
export const clusterEvents = (dedupeDays: number) =>
  Layer.unwrapScoped(Effect.map(Effect.suspend(freshDatabases), (own) => eventsOn(own, dedupeDays)))

/** Asks the database of ClickHouse itself. */
export const inClickHouse = <A>(
  { clickHouse }: Databases,
  ask: (service: ClickHouse["Type"]) => Effect.Effect<A, unknown>
) =>
  Effect.runPromise(Effect.provide(Effect.flatMap(ClickHouse, ask), ClickHouseLive({ ...clickHouse, timeout: 60_000 })))
