import { Cause, Effect, Layer, ManagedRuntime, Redacted, Schedule } from "effect"
import { Client, Pool } from "pg"
import { ClickHouseLive } from "../../src/adapters/clickhouse/ClickHouse.ts"
import { EventStoreClickHouse } from "../../src/adapters/clickhouse/analytics/EventStore.ts"
import { LogClient } from "../../src/adapters/postgres/LogClient.ts"
import { TurnsPostgres } from "../../src/adapters/postgres/Turns.ts"
import type { Event } from "../../src/domain/analytics/markers/Event.ts"
import type { Question } from "../../src/domain/analytics/question/Question.ts"
import { CohortId, EnvironmentId } from "../../src/domain/Ids.ts"
import { EventStore } from "../../src/ports/analytics/EventStore.ts"
import { CohortMembers } from "../../src/ports/cohorts/CohortMembers.ts"
import { firstDay, generate, type Size } from "./Generate.ts"

/** Rows that a question may bring into the process, and connections for the log: those of the product. */
const [rows, connections] = [5_000_000, 4]
const tenMinutes = 600_000

const environment = EnvironmentId.make(1)
const [batch, parallel] = [1000, 8]

/** The event store as the built server has it, on databases that are there. */
export const openCluster = (
  postgres: string,
  clickHouse: { readonly url: string; readonly database: string },
  dedupeDays: number
) => {
  const options = { url: Redacted.make(postgres), connections }
  return ManagedRuntime.make(
    EventStoreClickHouse({ dedupeDays, budget: tenMinutes, rows, forgetsIds: false }).pipe(
      Layer.provide(ClickHouseLive({ ...clickHouse, timeout: tenMinutes })),
      Layer.provide(LogClient(options)),
      Layer.provide(TurnsPostgres(options)),
      Layer.orDie
    )
  )
}

export type Cluster = ReturnType<typeof openCluster>

const run = <A>(cluster: Cluster, effect: Effect.Effect<A, unknown, EventStore | CohortMembers>): Promise<A> =>
  cluster.runPromise(Effect.catchAllCause(effect, (cause) => Effect.die(new Error(Cause.pretty(cause)))))

export const askCluster = (cluster: Cluster, question: Question): Promise<unknown> =>
  run(
    cluster,
    Effect.flatMap(EventStore, (store) => Effect.map(store.ask(environment, question), ({ answer }) => answer))
  )

/** Does the work with all batches, some at a time, and answers the milliseconds that it took. */
const inBatches = async (size: Size, work: (events: ReadonlyArray<Event>) => Promise<unknown>): Promise<number> => {
  let spent = 0
  let waiting: Array<ReadonlyArray<Event>> = []
  const flush = async () => {
    const started = performance.now()
    await Promise.all(waiting.map(work))
    spent += performance.now() - started
    waiting = []
  }
  for (const events of generate(size, batch)) {
    waiting.push(events)
    if (waiting.length === parallel) await flush()
  }
  await flush()
  return spent
}

/** Appends all markers, while they are moved as they are in a server; answers the milliseconds until all were acknowledged. */
export const loadCluster = (cluster: Cluster, size: Size): Promise<number> =>
  inBatches(size, (events) =>
    run(
      cluster,
      Effect.flatMap(EventStore, (store) => store.append(environment, events[events.length - 1]!.receivedAt, events))
    )
  )

/** Waits until ClickHouse has all markers, and makes the units the members of the cohort. */
export const settleCluster = (cluster: Cluster, cohort: number, units: ReadonlyArray<string>): Promise<void> =>
  run(
    cluster,
    Effect.gen(function* () {
      const store = yield* EventStore
      const members = yield* CohortMembers
      yield* Effect.retry(store.ask(environment, { kind: "unit", plan: { unitId: "" } }), Schedule.spaced("1 second"))
      yield* members.replace(environment, CohortId.make(cohort), units, firstDay)
    })
  )

/** Inserts the same markers into a plain table, a statement for each batch; answers the milliseconds until all were committed. */
export const loadBare = async (postgres: string, size: Size): Promise<number> => {
  const pool = new Pool({ connectionString: postgres, max: parallel })
  await pool.query("create table bare (id uuid, type text, unit text, at bigint, body text)")
  const spent = await inBatches(size, (events) => {
    const columns = [
      events.map(({ markerId }) => markerId),
      events.map(({ type }) => type),
      events.map(({ unitId }) => unitId),
      events.map(({ timestamp }) => timestamp),
      events.map((event) => JSON.stringify(event))
    ]
    return pool.query(
      "insert into bare select * from unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[], $5::text[])",
      columns
    )
  })
  await pool.query("drop table bare")
  await pool.end()
  return spent
}

/** Makes a database of the engine and answers its address. */
export const makeDatabase = async (engine: string, name: string): Promise<string> => {
  const client = new Client({ connectionString: engine })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  const url = new URL(engine)
  url.pathname = `/${name}`
  return url.href
}
