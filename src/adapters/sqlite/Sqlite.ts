import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { Health } from "../../ports/Health.ts"
import { Transaction } from "../../ports/Transaction.ts"
import { BrowserRepoSqlite } from "./BrowserRepo.ts"
import { ClickRepoSqlite } from "./ClickRepo.ts"
import { CredentialRepoSqlite } from "./CredentialRepo.ts"
import { DeeplinkRepoSqlite } from "./DeeplinkRepo.ts"
import { ErasedUnitRepoSqlite } from "./ErasedUnitRepo.ts"
import { ExecutionRepoSqlite } from "./ExecutionRepo.ts"
import { HeatmapRepoSqlite } from "./HeatmapRepo.ts"
import { MarkerRepoSqlite } from "./MarkerRepo.ts"
import { MetadataDb } from "./MetadataDb.ts"
import { OrganizationRepoSqlite } from "./OrganizationRepo.ts"
import { ProjectRepoSqlite } from "./ProjectRepo.ts"
import { RoleRepoSqlite } from "./RoleRepo.ts"
import { SavedQueryRepoSqlite } from "./SavedQueryRepo.ts"
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

/** Every metadata port over one SQLite file, or `:memory:`. */
export const SqliteMetadata = (filename: string) =>
  Layer.mergeAll(
    BrowserRepoSqlite,
    ClickRepoSqlite,
    CredentialRepoSqlite,
    DeeplinkRepoSqlite,
    ErasedUnitRepoSqlite,
    ExecutionRepoSqlite,
    HeatmapRepoSqlite,
    MarkerRepoSqlite,
    OrganizationRepoSqlite,
    ProjectRepoSqlite,
    RoleRepoSqlite,
    SavedQueryRepoSqlite,
    UserRepoSqlite,
    TransactionSqlite,
    HealthSqlite
  ).pipe(Layer.provide(MetadataDb(filename)))
