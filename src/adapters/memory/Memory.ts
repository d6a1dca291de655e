import { Effect, Layer } from "effect"
import { Health } from "../../ports/operations/Health.ts"
import { AssignmentRepoMemory } from "./AssignmentRepo.ts"
import { AccessVersionLive } from "./AccessVersion.ts"
import { BrowserRepoMemory } from "./BrowserRepo.ts"
import { ClickRepoMemory } from "./ClickRepo.ts"
import { ConfigurationRepoMemory } from "./ConfigurationRepo.ts"
import { CohortRepoMemory } from "./CohortRepo.ts"
import { ContextPropertyRepoMemory } from "./ContextPropertyRepo.ts"
import { CredentialRepoMemory } from "./CredentialRepo.ts"
import { DeeplinkRepoMemory } from "./DeeplinkRepo.ts"
import { ErasedUnitRepoMemory } from "./ErasedUnitRepo.ts"
import { ExecutionRepoMemory } from "./ExecutionRepo.ts"
import { ExperimentRepoMemory } from "./ExperimentRepo.ts"
import { GameJobRepoMemory } from "./GameJobRepo.ts"
import { HeatmapRepoMemory } from "./HeatmapRepo.ts"
import { MarkerRepoMemory } from "./MarkerRepo.ts"
import { MemoryDbLive, TransactionMemory } from "./MemoryDb.ts"
import { OrganizationRepoMemory } from "./OrganizationRepo.ts"
import { ProjectRepoMemory } from "./ProjectRepo.ts"
import { RoleRepoMemory } from "./RoleRepo.ts"
import { SavedQueryRepoMemory } from "./SavedQueryRepo.ts"
import { ServerStateRepoMemory } from "./ServerStateRepo.ts"
import { UserRepoMemory } from "./UserRepo.ts"

const HealthMemory = Layer.succeed(Health, { metadata: Effect.succeed(true) })

const Tables = Layer.mergeAll(
  AssignmentRepoMemory,
  BrowserRepoMemory,
  ClickRepoMemory,
  ConfigurationRepoMemory,
  CohortRepoMemory,
  ContextPropertyRepoMemory,
  CredentialRepoMemory,
  DeeplinkRepoMemory,
  ErasedUnitRepoMemory,
  ExecutionRepoMemory,
  ExperimentRepoMemory,
  GameJobRepoMemory,
  HeatmapRepoMemory,
  MarkerRepoMemory,
  OrganizationRepoMemory,
  ProjectRepoMemory,
  RoleRepoMemory,
  SavedQueryRepoMemory,
  ServerStateRepoMemory,
  UserRepoMemory,
  TransactionMemory,
  HealthMemory
).pipe(Layer.provide(MemoryDbLive))

/** Every metadata port over one set of tables in memory. */
export const MemoryMetadata = AccessVersionLive.pipe(Layer.provideMerge(Tables))
