import { Effect, Layer, Ref } from "effect"
import { EnrolmentRepo } from "../../ports/experiments/EnrolmentRepo.ts"
import { RemovedRows } from "../../ports/operations/RemovedRows.ts"
import { TrustedTimes } from "../../ports/operations/TrustedTimes.ts"
import { Health } from "../../ports/operations/Health.ts"
import { AssignmentRepoMemory } from "./experiments/AssignmentRepo.ts"
import { AuditRepoMemory } from "./operations/AuditRepo.ts"
import { AlertRepoMemory } from "./operations/AlertRepo.ts"
import { WebhookRepoMemory } from "./operations/WebhookRepo.ts"
import { AccessVersionLive } from "../cache/AccessVersion.ts"
import { PeersLocal } from "../local/Peers.ts"
import { RateLimitsLocal } from "../local/RateLimits.ts"
import { plainEnrolments } from "../local/PlainEnrolments.ts"
import { NothingSetAside } from "../local/SetAside.ts"
import { TurnsLocal } from "../local/Turns.ts"
import { BoardRepoMemory } from "./analytics/BoardRepo.ts"
import { BrowserRepoMemory } from "./access/BrowserRepo.ts"
import { ClickRepoMemory } from "./deeplinks/ClickRepo.ts"
import { ConfigurationRepoMemory } from "./configuration/ConfigurationRepo.ts"
import { CohortRepoMemory } from "./cohorts/CohortRepo.ts"
import { ContextPropertyRepoMemory } from "./game/ContextPropertyRepo.ts"
import { CredentialRepoMemory } from "./access/CredentialRepo.ts"
import { DeeplinkRepoMemory } from "./deeplinks/DeeplinkRepo.ts"
import { ErasedUnitRepoMemory } from "./operations/ErasedUnitRepo.ts"
import { ErasureRepoMemory } from "./operations/ErasureRepo.ts"
import { ExecutionRepoMemory } from "./analytics/ExecutionRepo.ts"
import { ExperimentDraftRepoMemory } from "./experiments/ExperimentDraftRepo.ts"
import { ExperimentRepoMemory } from "./experiments/ExperimentRepo.ts"
import { GameJobRepoMemory } from "./game/GameJobRepo.ts"
import { ExposureRepoMemory } from "./experiments/ExposureRepo.ts"
import { HeatmapRepoMemory } from "./analytics/HeatmapRepo.ts"
import { MarkerRepoMemory } from "./analytics/MarkerRepo.ts"
import { NoticeRepoMemory } from "./game/NoticeRepo.ts"
import { MemoryDbLive, TransactionMemory } from "./MemoryDb.ts"
import { IdentityRepoMemory } from "./access/IdentityRepo.ts"
import { OrganizationRepoMemory } from "./access/OrganizationRepo.ts"
import { PasskeyRepoMemory } from "./access/PasskeyRepo.ts"
import { PasswordResetRepoMemory } from "./access/PasswordResetRepo.ts"
import { SecondFactorRepoMemory } from "./access/SecondFactorRepo.ts"
import { ProjectRepoMemory } from "./access/ProjectRepo.ts"
import { RoleRepoMemory } from "./access/RoleRepo.ts"
import { SavedQueryRepoMemory } from "./analytics/SavedQueryRepo.ts"
import { ServerStateRepoMemory } from "./game/ServerStateRepo.ts"
import { SignInLogMemory } from "./access/SignInLog.ts"
import { UnitSightRepoMemory } from "./game/UnitSightRepo.ts"
import { UserRepoMemory } from "./access/UserRepo.ts"

const TrustedTimesMemory = Layer.effect(
  TrustedTimes,
  Effect.map(Ref.make<number | null>(null), (ref) => ({ get: Ref.get(ref), put: (at) => Ref.set(ref, at) }))
)

/** Removing takes everything along at once. */
const RemovedRowsMemory = Layer.succeed(RemovedRows, { clear: Effect.void })

const HealthMemory = Layer.succeed(Health, {
  metadata: Effect.succeed([]),
  freeBytes: Effect.succeed(null),
  fileSizes: Effect.succeed([])
})

const EnrolmentRepoMemory = Layer.effect(EnrolmentRepo, plainEnrolments).pipe(
  Layer.provide(Layer.mergeAll(AssignmentRepoMemory, ExperimentRepoMemory, ExposureRepoMemory, TransactionMemory))
)

const Tables = Layer.mergeAll(
  AssignmentRepoMemory,
  AuditRepoMemory,
  BoardRepoMemory,
  BrowserRepoMemory,
  ClickRepoMemory,
  ConfigurationRepoMemory,
  CohortRepoMemory,
  ContextPropertyRepoMemory,
  CredentialRepoMemory,
  DeeplinkRepoMemory,
  EnrolmentRepoMemory,
  ErasedUnitRepoMemory,
  ErasureRepoMemory,
  ExecutionRepoMemory,
  ExperimentDraftRepoMemory,
  ExperimentRepoMemory,
  ExposureRepoMemory,
  GameJobRepoMemory,
  HeatmapRepoMemory,
  IdentityRepoMemory,
  MarkerRepoMemory,
  NoticeRepoMemory,
  OrganizationRepoMemory,
  PasskeyRepoMemory,
  PasswordResetRepoMemory,
  SecondFactorRepoMemory,
  ProjectRepoMemory,
  RateLimitsLocal,
  RemovedRowsMemory,
  RoleRepoMemory,
  SavedQueryRepoMemory,
  ServerStateRepoMemory,
  SignInLogMemory,
  UnitSightRepoMemory,
  UserRepoMemory,
  WebhookRepoMemory,
  AlertRepoMemory,
  TransactionMemory,
  HealthMemory,
  NothingSetAside,
  TrustedTimesMemory,
  TurnsLocal
).pipe(Layer.provide(MemoryDbLive))

/** Every metadata port on one set of tables in memory. */
export const MemoryMetadata = AccessVersionLive.pipe(Layer.provideMerge(PeersLocal), Layer.provideMerge(Tables))
