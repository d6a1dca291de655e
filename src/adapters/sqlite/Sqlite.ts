import { Effect, Layer } from "effect"
import { AccessVersionLive } from "../cache/AccessVersion.ts"
import { PeersLocal } from "../local/Peers.ts"
import { RateLimitsLocal } from "../local/RateLimits.ts"
import { TurnsLocal } from "../local/Turns.ts"
import { LongReadsHere } from "../sql/LongReads.ts"
import { ErasedUnitRepoSql } from "../sql/operations/ErasedUnitRepo.ts"
import { Repos } from "../sql/Repos.ts"
import { RowGuardLive } from "../sql/sums/RowGuard.ts"
import { LongReadsThread } from "./LongReads.ts"
import { MetadataDb } from "./MetadataDb.ts"
import { MetadataLog } from "./MetadataGuard.ts"
import { HealthSqlite } from "./operations/Health.ts"
import { MetadataRecordsSqlite } from "./operations/MetadataRecords.ts"
import { MetadataRepairsSqlite } from "./operations/MetadataRepairs.ts"
import { RepairLogSqlite } from "./operations/RepairLog.ts"
import { SetAsideSqlite } from "./operations/SetAside.ts"

/** The built files of the workers of the metadata. */
export interface MetadataWorkers {
  readonly reader: string
  readonly checkpoint: string
}

const tables = (filename: string, workers: MetadataWorkers | null) =>
  Layer.mergeAll(
    Repos,
    ErasedUnitRepoSql(Effect.map(MetadataLog, ({ empty }) => empty)),
    MetadataRecordsSqlite,
    MetadataRepairsSqlite,
    RepairLogSqlite,
    SetAsideSqlite,
    RateLimitsLocal,
    TurnsLocal,
    HealthSqlite(filename)
  ).pipe(
    Layer.provide(RowGuardLive),
    Layer.provide(workers === null ? LongReadsHere : LongReadsThread(filename, workers.reader)),
    Layer.provide(MetadataDb(filename, workers?.checkpoint))
  )

/**
 * Every metadata port on one SQLite file, or on `:memory:`. Long reads, and bringing the log into the file, are work for
 * `workers`; without them both happen in this thread, as they have to for `:memory:`.
 */
export const SqliteMetadata = (filename: string, workers: MetadataWorkers | null = null) =>
  AccessVersionLive.pipe(Layer.provideMerge(PeersLocal), Layer.provideMerge(tables(filename, workers)))
