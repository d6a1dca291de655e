import { DateTime, Effect, Option } from "effect"
import type { NewApiKey } from "../../../src/domain/access/ApiKey.ts"
import type { Application, Invitation } from "../../../src/domain/access/Organization.ts"
import type { Role } from "../../../src/domain/access/Role.ts"
import type { User } from "../../../src/domain/access/User.ts"
import type { OrganizationId, RoleId } from "../../../src/domain/Ids.ts"
import { UserId } from "../../../src/domain/Ids.ts"
import { OrganizationRepo } from "../../../src/ports/access/OrganizationRepo.ts"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { RoleRepo } from "../../../src/ports/access/RoleRepo.ts"
import { UserRepo } from "../../../src/ports/access/UserRepo.ts"

/** A name that no kind of text handling may change: marks, scripts, an emoji, quotes and a line end. */
export const anyText = "Zoë 'O\"Neil' \u0001\n%_ 東京 \u202e🎮 e\u0301"

/** An instant with milliseconds; later ones have a higher number. */
export const instant = (milliseconds: number) =>
  DateTime.unsafeMake(Date.UTC(2026, 1, 28, 23, 59, 59, 7) + milliseconds)

let count = 0

/** Another number each time, for what must be unique. */
export const next = () => ++count

export const newUserId = () => UserId.make(`00000000-0000-4000-8000-${String(next()).padStart(12, "0")}`)

export const newUser = (user: Partial<User> = {}): User => {
  const id = newUserId()
  return {
    id,
    email: `Person.${id}@Studio.test`,
    name: anyText,
    externalReference: `usr_${id}`,
    motive: "",
    passwordHash: "scrypt$",
    createdAt: instant(0),
    deletedAt: null,
    ...user
  }
}

export const addUser = Effect.fnUntraced(function* (user: Partial<User> = {}) {
  return Option.getOrThrow(yield* (yield* UserRepo).insert(newUser(user)))
})

export const addOrganization = Effect.flatMap(OrganizationRepo, (organizations) =>
  organizations.insert({ name: anyText, color: null, iconTag: null, createdAt: instant(1) })
)

export const newRole = (organizationId: OrganizationId, role: Partial<Role> = {}): Omit<Role, "id"> => ({
  organizationId,
  builtin: null,
  name: `Role ${next()}`,
  description: null,
  permissions: ["players:read"],
  createdAt: instant(2),
  updatedAt: instant(3),
  ...role
})

export const addRole = Effect.fnUntraced(function* (organizationId: OrganizationId, role: Partial<Role> = {}) {
  return Option.getOrThrow(yield* (yield* RoleRepo).insert(newRole(organizationId, role)))
})

export const addMember = Effect.fnUntraced(function* (organizationId: OrganizationId) {
  const { id } = yield* addUser()
  const organizations = yield* OrganizationRepo
  return Option.getOrThrow(yield* organizations.addMember({ organizationId, userId: id, createdAt: instant(4) }))
})

export const newInvitation = (organizationId: OrganizationId, roleId: RoleId): Omit<Invitation, "id"> => ({
  organizationId,
  email: "Guest@Studio.test",
  roleId,
  tokenHash: `invitation ${next()}`,
  invitedBy: null,
  createdAt: instant(5),
  expiresAt: instant(6),
  acceptedAt: null
})

export const newApplication = (
  organizationId: OrganizationId,
  application: Partial<Application> = {}
): Omit<Application, "id"> => ({
  organizationId,
  name: anyText,
  sdkId: 3,
  color: null,
  thumbnailUrl: null,
  timezone: "Europe/Amsterdam",
  createdAt: instant(7),
  createdBy: newUserId(),
  ...application
})

export const addApplication = Effect.fnUntraced(function* (organizationId: OrganizationId) {
  return yield* (yield* ProjectRepo).insert(newApplication(organizationId))
})

/** A project of an organization of its own. */
export const addProject = Effect.flatMap(addOrganization, ({ id }) => addApplication(id))

/** Two environments of a project of their own. */
export const addEnvironments = Effect.gen(function* () {
  const { id: applicationId } = yield* addProject
  const projects = yield* ProjectRepo
  const add = (alias: string) =>
    Effect.map(
      projects.insertEnvironment({ applicationId, name: alias, alias, createdAt: instant(7) }),
      Option.getOrThrow
    )
  return [yield* add("production"), yield* add("development")] as const
})

export const newKey = (organizationId: OrganizationId, key: Partial<NewApiKey> = {}): NewApiKey => ({
  organizationId,
  type: "secret",
  userId: null,
  name: anyText,
  description: null,
  allProjects: false,
  applicationIds: [],
  environmentIds: [],
  permissions: [],
  keyPrefix: "gk_sk",
  lastFour: "1a2B",
  secretHash: `secret ${next()}`,
  previousSecretHash: null,
  previousValidUntil: null,
  expiresAt: null,
  lastUsedAt: null,
  createdAt: instant(8),
  createdBy: null,
  deactivatedAt: null,
  ...key
})
