import { assert } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import type { NewApiKey } from "../../src/domain/access/ApiKey.ts"
import type { BrowserAccount } from "../../src/domain/access/Browser.ts"
import type { User } from "../../src/domain/access/User.ts"
import { UserId } from "../../src/domain/Ids.ts"
import type { ApplicationId, MembershipId, OrganizationId, RoleId } from "../../src/domain/Ids.ts"
import { OrganizationRepo } from "../../src/ports/OrganizationRepo.ts"
import { ProjectRepo } from "../../src/ports/ProjectRepo.ts"
import { RoleRepo } from "../../src/ports/RoleRepo.ts"
import { UserRepo } from "../../src/ports/UserRepo.ts"

/** The instant that many milliseconds after a certain one, which has milliseconds of its own. */
export const at = (milliseconds = 0) => DateTime.unsafeMake(Date.UTC(2026, 1, 28, 23, 59, 59, 987) + milliseconds)

/** Equal to the letter: keys that are null are there, instants agree to the millisecond. */
export const same = (actual: unknown, expected: unknown) =>
  assert.deepStrictEqual(JSON.parse(JSON.stringify(actual)), JSON.parse(JSON.stringify(expected)))

export const userId = (n: number) => UserId.make(`00000000-0000-4000-8000-${String(n).padStart(12, "0")}`)

export const newUser = (n: number, fields: Partial<User> = {}): User => ({
  id: userId(n),
  email: `user${n}@studio.test`,
  name: `User ${n}`,
  externalReference: `usr_${n}`,
  motive: "curious",
  passwordHash: `hash ${n}`,
  createdAt: at(n),
  deletedAt: null,
  ...fields
})

export const addUser = Effect.fnUntraced(function* (n: number) {
  return Option.getOrThrow(yield* (yield* UserRepo).insert(newUser(n)))
})

export const account = (n: number, fields: Partial<BrowserAccount> = {}): BrowserAccount => ({
  handle: `handle ${n}`,
  userId: userId(n),
  isActive: false,
  expiresAt: at(1000 + n),
  lastUsedAt: at(10 + n),
  createdAt: at(n),
  ...fields
})

export const newOrganization = (name: string) => ({ name, color: null, iconTag: null, createdAt: at() })

export const addOrganization = Effect.fnUntraced(function* (name: string) {
  return yield* (yield* OrganizationRepo).insert(newOrganization(name))
})

export const addMember = Effect.fnUntraced(function* (organizationId: OrganizationId, id: UserId) {
  const membership = { organizationId, userId: id, createdAt: at() }
  return Option.getOrThrow(yield* (yield* OrganizationRepo).addMember(membership))
})

export const newApplication = (organizationId: OrganizationId, name: string, createdBy: UserId) => ({
  organizationId,
  name,
  sdkId: 1,
  color: null,
  thumbnailUrl: null,
  timezone: "UTC",
  createdAt: at(),
  createdBy
})

export const addApplication = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  name: string,
  createdBy: UserId
) {
  return yield* (yield* ProjectRepo).insert(newApplication(organizationId, name, createdBy))
})

export const newEnvironment = (applicationId: ApplicationId, alias: string) => ({
  applicationId,
  name: alias.toUpperCase(),
  alias,
  createdAt: at()
})

export const newRole = (organizationId: OrganizationId, name: string) => ({
  organizationId,
  builtin: null,
  name,
  description: null,
  permissions: [],
  createdAt: at(),
  updatedAt: at()
})

export const addRole = Effect.fnUntraced(function* (organizationId: OrganizationId, name: string) {
  return Option.getOrThrow(yield* (yield* RoleRepo).insert(newRole(organizationId, name)))
})

export const newGrant = (
  organizationId: OrganizationId,
  membershipId: MembershipId,
  roleId: RoleId,
  applicationId: ApplicationId | null = null
) => ({ organizationId, membershipId, roleId, applicationId, createdAt: at(), createdBy: null })

export const newInvitation = (organizationId: OrganizationId, roleId: RoleId, tokenHash: string) => ({
  organizationId,
  email: "guest@studio.test",
  roleId,
  tokenHash,
  invitedBy: null,
  createdAt: at(),
  expiresAt: at(1),
  acceptedAt: null
})

export const newKey = (organizationId: OrganizationId, fields: Partial<NewApiKey> = {}): NewApiKey => ({
  organizationId,
  type: "secret",
  userId: null,
  name: "server",
  description: null,
  allProjects: true,
  applicationIds: [],
  environmentIds: [],
  permissions: [],
  keyPrefix: "gk_sk_abcd",
  lastFour: "wxyz",
  secretHash: "hash",
  expiresAt: null,
  lastUsedAt: null,
  createdAt: at(),
  createdBy: null,
  deactivatedAt: null,
  ...fields
})

/** The effect dies: what it was asked for must not happen. */
export const dies = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const exit = yield* Effect.exit(effect)
  assert.isTrue(exit._tag === "Failure" && exit.cause._tag === "Die")
})
