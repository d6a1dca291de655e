import type { ApplicationId, MembershipId } from "../Ids.ts"
import type { ApiKey, KeyType } from "./ApiKey.ts"
import { coversApplication } from "./ApiKey.ts"
import type { Permission } from "./Permission.ts"
import { all } from "./Permission.ts"
import type { Grant, Role } from "./Role.ts"
import { builtinRoles } from "./Role.ts"

export type Permissions = ReadonlySet<Permission>

/** Every permission there is. */
export const everything: Permissions = new Set(all)

/** What a key holds whose own list of permissions is empty: a public key what every game client needs, others nothing. */
const defaultPermissions: Readonly<Record<KeyType, ReadonlyArray<Permission>>> = {
  public: ["sdk:ingest", "sdk:read"],
  secret: [],
  personal: []
}

/** All that a public key may hold: everybody who has the game can read the key out of it. */
const publicPermissions: Permissions = new Set<Permission>(["sdk:ingest", "sdk:read", "queries:write"])

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

const isAllowed = (type: KeyType, permission: Permission): boolean =>
  type !== "public" || publicPermissions.has(permission)

/** What a key allows by itself, whoever holds it: its list of permissions, or its type's default where the list is empty. */
export const keyPermissions = ({ type, permissions }: Pick<ApiKey, "type" | "permissions">): Permissions =>
  new Set(permissions.length === 0 ? defaultPermissions[type] : permissions.filter((each) => isAllowed(type, each)))

/** Permissions that a key of that type can never hold. */
export const impossible = (type: KeyType, asked: ReadonlyArray<Permission>): ReadonlyArray<Permission> =>
  asked.filter((permission) => !isAllowed(type, permission))

/** What a personal access token allows: never more than its owner may, and only within the token's projects. */
export const personalPermissions = (
  owner: Permissions,
  key: ApiKey,
  applicationId: ApplicationId | null
): Permissions =>
  applicationId !== null && !coversApplication(key, applicationId)
    ? new Set()
    : new Set(key.permissions.filter((permission) => owner.has(permission)))

/** The permissions asked for that the asker lacks. Granting them would be an escalation. */
export const exceeding = (asked: ReadonlyArray<Permission>, held: Permissions): ReadonlyArray<Permission> =>
  asked.filter((permission) => !held.has(permission))

/** Members who hold the Owner role in the whole organization. */
export const ownersOf = (grants: ReadonlyArray<Grant>, roles: ReadonlyArray<Role>): ReadonlyArray<MembershipId> => {
  const owner = roles.find((role) => role.builtin === "Owner")
  return grants
    .filter((grant) => grant.applicationId === null && grant.roleId === owner?.id)
    .map((grant) => grant.membershipId)
}
