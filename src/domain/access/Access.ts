import type { ApplicationId, MembershipId } from "../Ids.ts"
import type { ApiKey } from "./ApiKey.ts"
import { coversApplication } from "./ApiKey.ts"
import type { Permission } from "./Permission.ts"
import type { Permissions } from "./KeyPermissions.ts"
import { allPermissions } from "./Permission.ts"
import type { Grant, Role } from "./Role.ts"
import { builtinRoles } from "./Role.ts"

/** Every permission there is. */
export const everyPermission: Permissions = new Set(allPermissions)

/**
 * The permissions of a role. Built-in roles follow this version's catalogue, not that of the version that created them.
 */
export const permissionsOf = (role: Role): ReadonlyArray<Permission> =>
  role.builtin === null ? role.permissions : builtinRoles[role.builtin].permissions

/**
 * What a member may do in the organization (`applicationId` null) or in a project. A grant in the project replaces the
 * organization's grant there.
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

/** What a personal access token allows: never more than its owner may, and only within the token's projects. */
export const personalPermissions = (
  owner: Permissions,
  key: ApiKey,
  applicationId: ApplicationId | null
): Permissions =>
  applicationId !== null && !coversApplication(key, applicationId)
    ? new Set()
    : new Set(key.permissions.filter((permission) => owner.has(permission)))

/** Members who hold the Owner role in the whole organization. */
export const ownersOf = (grants: ReadonlyArray<Grant>, roles: ReadonlyArray<Role>): ReadonlyArray<MembershipId> => {
  const owner = roles.find((role) => role.builtin === "Owner")
  return grants
    .filter((grant) => grant.applicationId === null && grant.roleId === owner?.id)
    .map((grant) => grant.membershipId)
}
