import type { SqlError } from "@effect/sql/SqlError"
import { Effect, Layer } from "effect"
import { type ClickHouse, ClickHouseFound, type ClickHouseProblem } from "../adapters/clickhouse/ClickHouse.ts"
import { examineClickHouse } from "../adapters/clickhouse/operations/Doctor.ts"
import { comparePair } from "../adapters/clickhouse/operations/PairCheck.ts"
import { unusableText as clickHouseText } from "../adapters/clickhouse/analytics/Problems.ts"
import { unusableText as postgresText } from "../adapters/postgres/Failures.ts"
import { PlainClient } from "../adapters/postgres/LogClient.ts"
import { examineArrival, examinePostgres } from "../adapters/postgres/operations/Doctor.ts"
import { bad } from "../domain/operations/Finding.ts"
import { clickHouseOf } from "./Addresses.ts"
import { eventsPassword } from "./stores/ClusterStores.ts"
import type { Configuration } from "./Config.ts"

/** Milliseconds for a statement: the checksums of every part take long. */
const statementMillis = 3_600_000

const postgresUnusable = (error: SqlError) => Effect.succeed([bad(postgresText(error))])

const clickHouseUnusable = (problem: ClickHouseProblem) => Effect.succeed([bad(clickHouseText(problem))])

const ofPostgres = { SqlError: postgresUnusable }
const ofClickHouse = { ClickHouseRefused: clickHouseUnusable, ClickHouseSilent: clickHouseUnusable }

/**
 * What is wrong and right with PostgreSQL and ClickHouse, and whether they belong together; nothing is changed, and servers may run
 * meanwhile. Where one of them cannot be used they are not compared. This file is loaded only where it is asked for.
 */
export const examineDatabases = ({ metadata, events }: Pick<Configuration, "metadata" | "events">, deep: boolean) =>
  Effect.gen(function* () {
    const password = yield* eventsPassword
    const postgres = PlainClient({ url: metadata, connections: 1, longestStatement: statementMillis })
    const clickHouse: Layer.Layer<ClickHouse> = ClickHouseFound({
      ...clickHouseOf(events, password),
      timeout: statementMillis
    })
    const metadataFindings = yield* examinePostgres.pipe(
      Effect.provide(postgres),
      Effect.catchTags({ ...ofPostgres, ParseError: Effect.die })
    )
    const eventFindings = yield* examineClickHouse(deep).pipe(
      Effect.provide(clickHouse),
      Effect.catchTags(ofClickHouse)
    )
    const findings = [...metadataFindings, ...eventFindings]
    if (findings.some(({ isGood }) => !isGood)) return findings
    const compared = yield* comparePair.pipe(
      Effect.provide(Layer.merge(postgres, clickHouse)),
      Effect.catchTags({ ...ofPostgres, ...ofClickHouse })
    )
    return [...findings, ...compared]
  })

/** The same, and whether a data folder that is brought into them has wholly arrived. */
export const examineCluster = (addresses: Pick<Configuration, "metadata" | "events">, deep: boolean) =>
  Effect.zipWith(
    examineDatabases(addresses, deep),
    examineArrival.pipe(
      Effect.provide(PlainClient({ url: addresses.metadata, connections: 1, longestStatement: statementMillis })),
      // The findings say already why PostgreSQL cannot be asked.
      Effect.catchTag("SqlError", () => Effect.succeed([]))
    ),
    (findings, arrival) => [...findings, ...arrival]
  )
