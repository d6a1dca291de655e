import type { ApiKey, KeyType } from "./ApiKey.ts"
import type { Permission } from "./Permission.ts"

export type Permissions = ReadonlySet<Permission>

/** What a key holds whose own list of permissions is empty: a public key what every game client needs, others nothing. */
const defaultPermissions: Readonly<Record<KeyType, ReadonlyArray<Permission>>> = {
  public: ["sdk:ingest", "sdk:read"],
  secret: [],
  personal: []
}

/** All that a public key may hold: everybody who has the game can read the key out of it. */
const publicPermissions: Permissions = new Set<Permission>(["sdk:ingest", "sdk:read", "queries:write"])

const isAllowed = (type: KeyType, permission: Permission): boolean =>
  type !== "public" || publicPermissions.has(permission)

/** What a key allows by itself, whoever holds it: its list of permissions, or its type's default where the list is empty. */
export const keyPermissions = ({ type, permissions }: Pick<ApiKey, "type" | "permissions">): Permissions =>
  new Set(permissions.length === 0 ? defaultPermissions[type] : permissions.filter((each) => isAllowed(type, each)))

/** Permissions that a key of that type can never hold. */
export const impossible = (type: KeyType, asked: ReadonlyArray<Permission>): ReadonlyArray<Permission> =>
  asked.filter((permission) => !isAllowed(type, permission))

/** The permissions asked for that the asker lacks. Granting them would be an escalation. */
export const exceeding = (asked: ReadonlyArray<Permission>, held: Permissions): ReadonlyArray<Permission> =>
  asked.filter((permission) => !held.has(permission))
