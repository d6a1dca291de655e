import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { Health } from "../../ports/operations/Health.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { AssignmentRepoSqlite } from "./AssignmentRepo.ts"
import { AccessVersionLive } from "../cache/AccessVersion.ts"
import { BrowserRepoSqlite } from "./BrowserRepo.ts"
import { ClickRepoSqlite } from "./ClickRepo.ts"
import { ConfigurationRepoSqlite } from "./ConfigurationRepo.ts"
import { CohortRepoSqlite } from "./CohortRepo.ts"
import { ContextPropertyRepoSqlite } from "./ContextPropertyRepo.ts"
import { CredentialRepoSqlite } from "./CredentialRepo.ts"
import { DeeplinkRepoSqlite } from "./DeeplinkRepo.ts"
import { ErasedUnitRepoSqlite } from "./ErasedUnitRepo.ts"
import { ExecutionRepoSqlite } from "./ExecutionRepo.ts"
import { ExperimentRepoSqlite } from "./ExperimentRepo.ts"
import { GameJobRepoSqlite } from "./GameJobRepo.ts"
import { HeatmapRepoSqlite } from "./HeatmapRepo.ts"
import { MarkerRepoSqlite } from "./MarkerRepo.ts"
import { MetadataDb } from "./MetadataDb.ts"
import { OrganizationRepoSqlite } from "./OrganizationRepo.ts"
import { ProjectRepoSqlite } from "./ProjectRepo.ts"
import { RoleRepoSqlite } from "./RoleRepo.ts"
import { SavedQueryRepoSqlite } from "./SavedQueryRepo.ts"
import { ServerStateRepoSqlite } from "./ServerStateRepo.ts"
import { UserRepoSqlite } from "./UserRepo.ts"

const TransactionSqlite = Layer.effect(
  Transaction,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    run: (effect) => Effect.catchTag(sql.withTransaction(effect), "SqlError", Effect.die)
  }))
)

const HealthSqlite = Layer.effect(
  Health,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    metadata: sql`update effect_sql_migrations set name = name where migration_id = 1`.pipe(
      sql.withTransaction,
      Effect.isSuccess
    )
  }))
)

const tables = (filename: string) =>
  Layer.mergeAll(
    AssignmentRepoSqlite,
    BrowserRepoSqlite,
    ClickRepoSqlite,
    ConfigurationRepoSqlite,
    CohortRepoSqlite,
    ContextPropertyRepoSqlite,
    CredentialRepoSqlite,
    DeeplinkRepoSqlite,
    ErasedUnitRepoSqlite,
    ExecutionRepoSqlite,
    ExperimentRepoSqlite,
    GameJobRepoSqlite,
    HeatmapRepoSqlite,
    MarkerRepoSqlite,
    OrganizationRepoSqlite,
    ProjectRepoSqlite,
    RoleRepoSqlite,
    SavedQueryRepoSqlite,
    ServerStateRepoSqlite,
    UserRepoSqlite,
    TransactionSqlite,
    HealthSqlite
  ).pipe(Layer.provide(MetadataDb(filename)))

/** Every metadata port over one SQLite file, or `:memory:`. */
export const SqliteMetadata = (filename: string) => AccessVersionLive.pipe(Layer.provideMerge(tables(filename)))
