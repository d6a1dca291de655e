import type { DateTime } from "effect"
import { Schema } from "effect"
import type { ApplicationId, GrantId, MembershipId, OrganizationId, RoleId, UserId } from "../Ids.ts"
import type { Permission } from "./Permission.ts"
import { allPermissions } from "./Permission.ts"

export const BuiltinRole = Schema.Literal("Owner", "Admin", "Developer", "Analyst", "Viewer")
export type BuiltinRole = typeof BuiltinRole.Type

export interface Role {
  readonly id: RoleId
  readonly organizationId: OrganizationId
  /** Null for a custom role. */
  readonly builtin: BuiltinRole | null
  readonly name: string
  readonly description: string | null
  /** Of a built-in role what it was created with; `permissionsOf` says what it allows. */
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

const viewer: ReadonlyArray<Permission> = [
  "organization:read",
  "members:read",
  "projects:read",
  "api_keys:read",
  "roles:read",
  "alerts:read",
  "analytics:read",
  "markers:read",
  "cohorts:read",
  "configurations:read",
  "deeplinks:read",
  "experiments:read",
  "players:read"
]

const analyst: ReadonlyArray<Permission> = [...viewer, "queries:write", "cohorts:write", "alerts:write"]

const developer: ReadonlyArray<Permission> = [
  ...analyst,
  "projects:write",
  "environments:write",
  "api_keys:write",
  "markers:write",
  "configurations:write",
  "deeplinks:write",
  "experiments:write",
  "sdk:ingest",
  "sdk:read"
]

const administrator: ReadonlyArray<Permission> = [
  ...developer,
  "organization:write",
  "members:write",
  "roles:write",
  "audit:read",
  "webhooks:read",
  "webhooks:write",
  "players:delete"
]

/**
 * What each built-in role may do. Every role lists what it holds, so that a new permission reaches nobody by accident;
 * only owners hold the whole catalogue. `Policy` reserves the Owner role to owners: no permission stands for ownership.
 */
export const builtinRoles: Readonly<
  Record<BuiltinRole, { readonly description: string; readonly permissions: ReadonlyArray<Permission> }>
> = {
  Owner: { description: "Everything, including ownership", permissions: allPermissions },
  Admin: { description: "Everything except the transfer of ownership", permissions: administrator },
  Developer: {
    description: "Builds and operates the game; manages no members, roles or organization settings",
    permissions: developer
  },
  Analyst: { description: "Reads everything, saves queries, cohorts and alerts", permissions: analyst },
  Viewer: { description: "Reads everything", permissions: viewer }
}
