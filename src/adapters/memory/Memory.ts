import { Effect, Layer } from "effect"
import { Health } from "../../ports/Health.ts"
import { BrowserRepoMemory } from "./BrowserRepo.ts"
import { ClickRepoMemory } from "./ClickRepo.ts"
import { CredentialRepoMemory } from "./CredentialRepo.ts"
import { DeeplinkRepoMemory } from "./DeeplinkRepo.ts"
import { ErasedUnitRepoMemory } from "./ErasedUnitRepo.ts"
import { ExecutionRepoMemory } from "./ExecutionRepo.ts"
import { HeatmapRepoMemory } from "./HeatmapRepo.ts"
import { MarkerRepoMemory } from "./MarkerRepo.ts"
import { MemoryDbLive, TransactionMemory } from "./MemoryDb.ts"
import { OrganizationRepoMemory } from "./OrganizationRepo.ts"
import { ProjectRepoMemory } from "./ProjectRepo.ts"
import { RoleRepoMemory } from "./RoleRepo.ts"
import { SavedQueryRepoMemory } from "./SavedQueryRepo.ts"
import { UserRepoMemory } from "./UserRepo.ts"

const HealthMemory = Layer.succeed(Health, { metadata: Effect.succeed(true) })

/** Every metadata port over one set of tables in memory. */
export const MemoryMetadata = Layer.mergeAll(
  BrowserRepoMemory,
  ClickRepoMemory,
  CredentialRepoMemory,
  DeeplinkRepoMemory,
  ErasedUnitRepoMemory,
  ExecutionRepoMemory,
  HeatmapRepoMemory,
  MarkerRepoMemory,
  OrganizationRepoMemory,
  ProjectRepoMemory,
  RoleRepoMemory,
  SavedQueryRepoMemory,
  UserRepoMemory,
  TransactionMemory,
  HealthMemory
).pipe(Layer.provide(MemoryDbLive))
