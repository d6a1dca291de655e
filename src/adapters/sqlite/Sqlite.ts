import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { AssignmentRepoSqlite } from "./experiments/AssignmentRepo.ts"
import { AccessVersionLive } from "../cache/AccessVersion.ts"
import { PeersLocal } from "../local/Peers.ts"
import { RateLimitsLocal } from "../local/RateLimits.ts"
import { TurnsLocal } from "../local/Turns.ts"
import { BoardRepoSqlite } from "./analytics/BoardRepo.ts"
import { BrowserRepoSqlite } from "./access/BrowserRepo.ts"
import { ClickRepoSqlite } from "./deeplinks/ClickRepo.ts"
import { ConfigurationRepoSqlite } from "./configuration/ConfigurationRepo.ts"
import { CohortRepoSqlite } from "./cohorts/CohortRepo.ts"
import { ContextPropertyRepoSqlite } from "./game/ContextPropertyRepo.ts"
import { CredentialRepoSqlite } from "./access/CredentialRepo.ts"
import { DeeplinkRepoSqlite } from "./deeplinks/DeeplinkRepo.ts"
import { ErasedUnitRepoSqlite } from "./operations/ErasedUnitRepo.ts"
import { ErasureRepoSqlite } from "./operations/ErasureRepo.ts"
import { ExecutionRepoSqlite } from "./analytics/ExecutionRepo.ts"
import { ExperimentDraftRepoSqlite } from "./experiments/ExperimentDraftRepo.ts"
import { ExperimentRepoSqlite } from "./experiments/ExperimentRepo.ts"
import { ExposureRepoSqlite } from "./experiments/ExposureRepo.ts"
import { GameJobRepoSqlite } from "./game/GameJobRepo.ts"
import { HealthSqlite } from "./operations/Health.ts"
import { MetadataRecordsSqlite } from "./operations/MetadataRecords.ts"
import { MetadataRepairsSqlite } from "./operations/MetadataRepairs.ts"
import { RemovedRowsSqlite } from "./operations/RemovedRows.ts"
import { RepairLogSqlite } from "./operations/RepairLog.ts"
import { HeatmapRepoSqlite } from "./analytics/HeatmapRepo.ts"
import { MarkerRepoSqlite } from "./analytics/MarkerRepo.ts"
import { LongReadsHere, LongReadsThread } from "./LongReads.ts"
import { MetadataDb } from "./MetadataDb.ts"
import { NoticeRepoSqlite } from "./game/NoticeRepo.ts"
import { OrganizationRepoSqlite } from "./access/OrganizationRepo.ts"
import { ProjectRepoSqlite } from "./access/ProjectRepo.ts"
import { RoleRepoSqlite } from "./access/RoleRepo.ts"
import { RowGuardLive } from "./sums/RowGuard.ts"
import { SavedQueryRepoSqlite } from "./analytics/SavedQueryRepo.ts"
import { SetAsideSqlite } from "./operations/SetAside.ts"
import { ServerStateRepoSqlite } from "./game/ServerStateRepo.ts"
import { TrustedTimesSqlite } from "./operations/TrustedTimes.ts"
import { UnitSightRepoSqlite } from "./game/UnitSightRepo.ts"
import { UserRepoSqlite } from "./access/UserRepo.ts"
import { WithoutForeignKeys } from "./WithoutForeignKeys.ts"

const TransactionSqlite = Layer.effect(
  Transaction,
  Effect.map(Effect.all([SqlClient.SqlClient, WithoutForeignKeys]), ([sql, unenforced]) => ({
    run: (effect) => Effect.catchTag(sql.withTransaction(effect), "SqlError", Effect.die),
    runRemoval: (effect) => Effect.catchTag(unenforced(effect), "SqlError", Effect.die)
  }))
)

/** The built files of the workers of the metadata. */
export interface MetadataWorkers {
  readonly reader: string
  readonly checkpoint: string
}

const tables = (filename: string, workers: MetadataWorkers | null) =>
  Layer.mergeAll(
    AssignmentRepoSqlite,
    BoardRepoSqlite,
    BrowserRepoSqlite,
    ClickRepoSqlite,
    ConfigurationRepoSqlite,
    CohortRepoSqlite,
    ContextPropertyRepoSqlite,
    CredentialRepoSqlite,
    DeeplinkRepoSqlite,
    ErasedUnitRepoSqlite,
    ErasureRepoSqlite,
    ExecutionRepoSqlite,
    ExperimentDraftRepoSqlite,
    ExperimentRepoSqlite,
    ExposureRepoSqlite,
    GameJobRepoSqlite,
    HeatmapRepoSqlite,
    MarkerRepoSqlite,
    MetadataRecordsSqlite,
    MetadataRepairsSqlite,
    NoticeRepoSqlite,
    OrganizationRepoSqlite,
    ProjectRepoSqlite,
    RateLimitsLocal,
    RemovedRowsSqlite,
    RepairLogSqlite,
    RoleRepoSqlite,
    SavedQueryRepoSqlite,
    ServerStateRepoSqlite,
    SetAsideSqlite,
    TrustedTimesSqlite,
    TurnsLocal,
    UnitSightRepoSqlite,
    UserRepoSqlite,
    TransactionSqlite,
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
