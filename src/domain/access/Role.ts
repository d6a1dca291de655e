import type { DateTime } from "effect"
import { Schema } from "effect"
import type { ApplicationId, GrantId, MembershipId, OrganizationId, RoleId, UserId } from "../Ids.ts"
import type { Permission } from "./Permission.ts"
import { all } from "./Permission.ts"

export const BuiltinRole = Schema.Literal("Owner", "Admin", "Developer", "Analyst", "Viewer")
export type BuiltinRole = typeof BuiltinRole.Type

export interface Role {
  readonly id: RoleId
  readonly organizationId: OrganizationId
  /** Null for a custom role. */
  readonly builtin: BuiltinRole | null
  readonly name: string
  readonly description: string | null
  readonly permissions: ReadonlyArray<Permission>
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

/**
 * A role given to a member in the whole organization (`applicationId` null), or in one project, where it replaces the
 * organization's grant.
 */
export interface Grant {
  readonly id: GrantId
  readonly organizationId: OrganizationId
  readonly applicationId: ApplicationId | null
  readonly membershipId: MembershipId
  readonly roleId: RoleId
  readonly createdAt: DateTime.Utc
  readonly createdBy: UserId | null
}

const reads = all.filter((permission) => permission.endsWith(":read") && permission !== "sdk:read")

const without = (...denied: ReadonlyArray<Permission>) => all.filter((permission) => !denied.includes(permission))

/** The permissions of each built-in role. Transferring ownership is a rule for owners, not a permission. */
export const builtinRoles: Readonly<
  Record<BuiltinRole, { readonly description: string; readonly permissions: ReadonlyArray<Permission> }>
> = {
  Owner: { description: "Everything, including ownership", permissions: all },
  Admin: { description: "Everything except the transfer of ownership", permissions: all },
  Developer: {
    description: "Builds and operates the game; manages no members, roles or organization settings",
    permissions: without("organization:write", "members:write", "roles:write", "audit:read", "players:delete")
  },
  Analyst: {
    description: "Reads everything, saves queries and cohorts",
    permissions: [...reads, "queries:write", "cohorts:write"]
  },
  Viewer: { description: "Reads everything", permissions: reads }
}
