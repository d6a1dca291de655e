import type { ApplicationId, MembershipId } from "../Ids.ts"
import type { ApiKey } from "./ApiKey.ts"
import { coversApplication } from "./ApiKey.ts"
import type { Permission } from "./Permission.ts"
import { all } from "./Permission.ts"
import type { Grant, Role } from "./Role.ts"
import { builtinRoles } from "./Role.ts"

export type Permissions = ReadonlySet<Permission>

export const everything: Permissions = new Set(all)

const gamePermissions: ReadonlyArray<Permission> = ["sdk:ingest", "sdk:read"]

/** What a role allows today: built-in roles follow this version's catalogue, not the one they were created under. */
export const permissionsOf = (role: Role): ReadonlyArray<Permission> =>
  role.builtin === null ? role.permissions : builtinRoles[role.builtin].permissions

/**
 * What a member may do in the organization (`applicationId` null) or in a project.
 * A project grant replaces the organization grant in its project.
 */
export const memberPermissions = (
  grants: ReadonlyArray<Grant>,
  roles: ReadonlyArray<Role>,
  applicationId: ApplicationId | null
): Permissions => {
  const grantIn = (id: ApplicationId | null) => grants.find((grant) => grant.applicationId === id)
  const grant = (applicationId === null ? undefined : grantIn(applicationId)) ?? grantIn(null)
  const role = roles.find((candidate) => candidate.id === grant?.roleId)
  return new Set(role === undefined ? [] : permissionsOf(role))
}

/** What a key allows by itself, whoever holds it. A public key without a list of its own may do all a game client does. */
export const keyPermissions = (key: ApiKey): Permissions =>
  key.type !== "public"
    ? new Set(key.permissions)
    : new Set(gamePermissions.filter((p) => key.permissions.length === 0 || key.permissions.includes(p)))

/** A personal access token never exceeds its owner, nor its own scope of projects. */
export const personalPermissions = (
  owner: Permissions,
  key: ApiKey,
  applicationId: ApplicationId | null
): Permissions =>
  applicationId !== null && !coversApplication(key, applicationId)
    ? new Set()
    : new Set(key.permissions.filter((permission) => owner.has(permission)))

/** Permissions asked for that the asker does not hold; granting them would be escalation. */
export const exceeding = (asked: ReadonlyArray<Permission>, held: Permissions): ReadonlyArray<Permission> =>
  asked.filter((permission) => !held.has(permission))

/** Members who hold the Owner role in the whole organization. */
export const ownersOf = (grants: ReadonlyArray<Grant>, roles: ReadonlyArray<Role>): ReadonlyArray<MembershipId> => {
  const owner = roles.find((role) => role.builtin === "Owner")
  return grants
    .filter((grant) => grant.applicationId === null && grant.roleId === owner?.id)
    .map((grant) => grant.membershipId)
}
