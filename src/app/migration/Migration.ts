import { FileSystem } from "@effect/platform"
import type { SqlError } from "@effect/sql/SqlError"
import { Effect, Layer } from "effect"
import { ClickHouseLive, type ClickHouseProblem } from "../../adapters/clickhouse/ClickHouse.ts"
import { makeTables as makeClickHouseTables } from "../../adapters/clickhouse/Tables.ts"
import { unusableText as clickHouseText } from "../../adapters/clickhouse/analytics/Problems.ts"
import { unusableText as postgresText } from "../../adapters/postgres/Failures.ts"
import { PlainClient } from "../../adapters/postgres/LogClient.ts"
import { MetadataDb } from "../../adapters/postgres/MetadataDb.ts"
import { makeFolderMigration } from "../../adapters/postgres/operations/FolderMigration.ts"
import { acquireDataFolder } from "../../adapters/sqlite/DataFolder.ts"
import { refuseMismatch } from "../../adapters/sqlite/operations/FoundFiles.ts"
import { openSource } from "../../adapters/sqlite/operations/SourceFolder.ts"
import { MigrationRefused } from "../../domain/operations/MigrationRefused.ts"
import { clickHouseOf } from "../Addresses.ts"
import { examineDatabases } from "../ClusterDoctor.ts"
import { eventsPassword } from "../stores/ClusterStores.ts"
import type { Configuration } from "../Config.ts"
import { makeMarkers, type Portions } from "./Markers.ts"
import type { Pace } from "./Pace.ts"
import { makeTables } from "./Tables.ts"

/** What a migration has brought, or had brought before. */
export interface Brought {
  readonly wasDone: boolean
  readonly rows: number
  readonly markers: number
  /** Environments that were removed or set aside, whose markers stayed behind. */
  readonly leftBehind: number
}

/** As many markers as the mover of the log sends at a time. */
const usual: Portions = { markers: 50_000, bytes: 32_000_000, ids: 10_000 }

/** Milliseconds for a statement. */
const statementMillis = 600_000

const again = "Nothing is lost: run the same command again, and it goes on where it was"

const postgresFailed = (error: SqlError) => new MigrationRefused({ message: `${postgresText(error)}. ${again}` })

const clickHouseFailed = (problem: ClickHouseProblem) =>
  new MigrationRefused({ message: `${clickHouseText(problem)}. ${again}` })

const failed = {
  SqlError: postgresFailed,
  ClickHouseRefused: clickHouseFailed,
  ClickHouseSilent: clickHouseFailed
}

const lockedSource = (data: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    if (!(yield* Effect.orElseSucceed(files.exists(data), () => false)))
      return yield* new MigrationRefused({ message: `There is no data folder ${data}: name it with --data` })
    const found = yield* acquireDataFolder(data)
    yield* refuseMismatch(found)
    return yield* openSource(found)
  })

type Addresses = Pick<Configuration, "data" | "metadata" | "events" | "dedupeDays">

/**
 * Brings a data folder into PostgreSQL and ClickHouse, which have to be empty, and compares what has arrived. What was cut off goes on when
 * it is called again. The folder is locked meanwhile and stays as it is. This file is loaded only where it is asked for.
 */
export const bringFolder = ({ data, metadata, events, dedupeDays }: Addresses, pace: Pace, portions = usual) =>
  Effect.gen(function* () {
    const source = yield* lockedSource(data)
    const password = yield* eventsPassword
    const options = { url: metadata, connections: 2, longestStatement: statementMillis }
    const clickHouse = ClickHouseLive({ ...clickHouseOf(events, password), timeout: statementMillis })
    const arrive = Effect.gen(function* () {
      const migration = yield* makeFolderMigration
      const target = yield* migration.examine(source.id, source.state)
      const markers = yield* makeMarkers(source, migration, pace, dedupeDays, portions)
      const leftBehind = source.leftBehind
      if (target === "done") return { wasDone: true, rows: 0, markers: 0, leftBehind }
      if (target === "empty") {
        const filled = yield* markers.filled
        if (filled !== undefined)
          return yield* new MigrationRefused({
            message: `The database of --events is not empty (table ${filled}): name one that has nothing in it. Nothing was changed`
          })
      }
      yield* Effect.scoped(Layer.build(MetadataDb(options)))
      yield* makeClickHouseTables({ idDays: dedupeDays + 1 })
      const tables = yield* makeTables(source, migration, pace)
      yield* migration.begin(source.id, source.state)
      yield* tables.copy
      yield* markers.copy
      yield* tables.check
      const count = yield* markers.check
      const wrong = (yield* examineDatabases({ metadata, events }, false)).find(({ isGood }) => !isGood)
      if (wrong !== undefined)
        return yield* new MigrationRefused({ message: `Everything has arrived, and the doctor objects: ${wrong.text}` })
      yield* migration.finish
      return { wasDone: false, rows: tables.rows, markers: count, leftBehind }
    })
    const brought: Brought = yield* Effect.provide(arrive, Layer.merge(PlainClient(options), clickHouse))
    return brought
  }).pipe(Effect.scoped, Effect.catchTags(failed))
