import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { BrowserRepoSql } from "./access/BrowserRepo.ts"
import { CredentialRepoSql } from "./access/CredentialRepo.ts"
import { IdentityRepoSql } from "./access/IdentityRepo.ts"
import { OrganizationRepoSql } from "./access/OrganizationRepo.ts"
import { PasskeyRepoSql } from "./access/PasskeyRepo.ts"
import { PasswordResetRepoSql } from "./access/PasswordResetRepo.ts"
import { SecondFactorRepoSql } from "./access/SecondFactorRepo.ts"
import { ProjectRepoSql } from "./access/ProjectRepo.ts"
import { RoleRepoSql } from "./access/RoleRepo.ts"
import { SignInLogSql } from "./access/SignInLog.ts"
import { UserRepoSql } from "./access/UserRepo.ts"
import { BoardRepoSql } from "./analytics/BoardRepo.ts"
import { ExecutionRepoSql } from "./analytics/ExecutionRepo.ts"
import { HeatmapRepoSql } from "./analytics/HeatmapRepo.ts"
import { MarkerRepoSql } from "./analytics/MarkerRepo.ts"
import { SavedQueryRepoSql } from "./analytics/SavedQueryRepo.ts"
import { CohortRepoSql } from "./cohorts/CohortRepo.ts"
import { ConfigurationRepoSql } from "./configuration/ConfigurationRepo.ts"
import { ClickRepoSql } from "./deeplinks/ClickRepo.ts"
import { DeeplinkRepoSql } from "./deeplinks/DeeplinkRepo.ts"
import { AssignmentRepoSql } from "./experiments/AssignmentRepo.ts"
import { EnrolmentRepoSql } from "./experiments/EnrolmentRepo.ts"
import { ExperimentDraftRepoSql } from "./experiments/ExperimentDraftRepo.ts"
import { ExperimentRepoSql } from "./experiments/ExperimentRepo.ts"
import { ExposureRepoSql } from "./experiments/ExposureRepo.ts"
import { ContextPropertyRepoSql } from "./game/ContextPropertyRepo.ts"
import { GameJobRepoSql } from "./game/GameJobRepo.ts"
import { NoticeRepoSql } from "./game/NoticeRepo.ts"
import { ServerStateRepoSql } from "./game/ServerStateRepo.ts"
import { UnitSightRepoSql } from "./game/UnitSightRepo.ts"
import { AuditRepoSql } from "./operations/AuditRepo.ts"
import { ErasureRepoSql } from "./operations/ErasureRepo.ts"
import { RemovedRowsSql } from "./operations/RemovedRows.ts"
import { TrustedTimesSql } from "./operations/TrustedTimes.ts"
import { AlertRepoSql } from "./operations/AlertRepo.ts"
import { WebhookRepoSql } from "./operations/WebhookRepo.ts"
import { withNamedLocks } from "./NamedLocks.ts"
import { WithoutForeignKeys } from "./WithoutForeignKeys.ts"

const TransactionSql = Layer.effect(
  Transaction,
  Effect.map(Effect.all([SqlClient.SqlClient, WithoutForeignKeys]), ([sql, unenforced]) => ({
    run: (effect, locks) =>
      Effect.catchTag(
        locks === undefined ? sql.withTransaction(effect) : withNamedLocks(locks, sql.withTransaction, effect),
        "SqlError",
        Effect.die
      ),
    runRemoval: (effect) => Effect.catchTag(unenforced(effect), "SqlError", Effect.die)
  }))
)

/** The ports that SQLite and PostgreSQL answer by the same code. */
export const Repos = Layer.mergeAll(
  AssignmentRepoSql,
  AuditRepoSql,
  BoardRepoSql,
  BrowserRepoSql,
  ClickRepoSql,
  ConfigurationRepoSql,
  CohortRepoSql,
  ContextPropertyRepoSql,
  CredentialRepoSql,
  DeeplinkRepoSql,
  Layer.provide(
    EnrolmentRepoSql,
    Layer.mergeAll(AssignmentRepoSql, ExperimentRepoSql, ExposureRepoSql, TransactionSql)
  ),
  ErasureRepoSql,
  ExecutionRepoSql,
  ExperimentDraftRepoSql,
  ExperimentRepoSql,
  ExposureRepoSql,
  GameJobRepoSql,
  HeatmapRepoSql,
  IdentityRepoSql,
  MarkerRepoSql,
  NoticeRepoSql,
  OrganizationRepoSql,
  PasskeyRepoSql,
  PasswordResetRepoSql,
  SecondFactorRepoSql,
  ProjectRepoSql,
  RemovedRowsSql,
  RoleRepoSql,
  SavedQueryRepoSql,
  ServerStateRepoSql,
  SignInLogSql,
  TransactionSql,
  TrustedTimesSql,
  UnitSightRepoSql,
  UserRepoSql,
  WebhookRepoSql,
  AlertRepoSql
)
