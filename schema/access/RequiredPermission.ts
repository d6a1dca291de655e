import { Context } from "effect"
import type { Permission } from "../../src/domain/access/Permission.ts"

/**
 * Where the caller must hold the permission, and what a token or key must cover beside it:
 * - `organization`: in the organization.
 * - `projects`: in at least one project of the organization; the answer holds only those projects.
 * - `project`: in the project, which the credential covers. What is read or made belongs to no environment.
 * - `environments`: in the project, of which the credential covers every environment, because all of them share what changes.
 * - `environment`: in the project, of which the credential covers the environment that the request names.
 */
export type PermissionScope = "organization" | "projects" | "project" | "environments" | "environment"

/** What an endpoint asks of its caller beside a credential that it accepts. */
export type Requirement =
  | {
      readonly permission: Permission
      readonly scope: PermissionScope
      /** What the caller must hold there as well, because the answer tells of it. */
      readonly also: ReadonlyArray<Permission>
      /** An exception or an addition, as a sentence. */
      readonly note: string | undefined
    }
  | {
      readonly permission: "none"
      /** Why everybody who gets that far may do it, as a sentence. */
      readonly reason: string
    }

/** Names the permission of an endpoint in the contract. Every endpoint carries it: a test finds one that does not. */
export class RequiredPermission extends Context.Tag("schema/access/RequiredPermission")<
  RequiredPermission,
  Requirement
>() {}

/** The endpoint asks for that permission there. */
export const requires = (
  permission: Permission,
  scope: PermissionScope,
  note?: string
): Context.Context<RequiredPermission> => Context.make(RequiredPermission, { permission, scope, also: [], note })

/** The endpoint asks for all of these permissions there; it is listed under the first one. */
export const requiresAll = (
  [permission, ...also]: readonly [Permission, ...ReadonlyArray<Permission>],
  scope: PermissionScope
): Context.Context<RequiredPermission> => Context.make(RequiredPermission, { permission, scope, also, note: undefined })

/** The endpoint asks for no permission. */
export const requiresNone = (reason: string): Context.Context<RequiredPermission> =>
  Context.make(RequiredPermission, { permission: "none", reason })

const places: Record<PermissionScope, string> = {
  organization: "in the organization",
  projects: "in at least one project of the organization; only those projects are shown",
  project: "in the project",
  environments: "in the project; a token or key must cover every environment of it",
  environment: "in the project; a token or key must cover the environment"
}

/** The requirement in a sentence or two, for the reference. */
export const requirementInWords = (requirement: Requirement): string => {
  if (requirement.permission === "none") return `Needs no permission. ${requirement.reason}`
  const { permission, also, scope, note } = requirement
  const names = [permission, ...also].map((name) => `\`${name}\``)
  const all = names.length === 1 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`
  return `Needs ${all} ${places[scope]}.${note === undefined ? "" : ` ${note}`}`
}

/** What lets a member back in who is locked out, which is as good as having the account. */
export const rescuesMember = requires(
  "members:write",
  "organization",
  "The caller must hold everything that the member holds, and the member belong to no other organization."
)
