import { useQueries } from "@tanstack/react-query"
import type { Permission } from "../../domain/access/Permission.ts"
import { permissionsQuery } from "../api/queries.ts"
import type { Organization } from "../shell/Project.tsx"
import { deniedText } from "../text/Denied.ts"
import type { Role } from "./AccessQueries.ts"

export interface Rights {
  /** Whether this person holds the permission in the project, or with null in the organization. */
  readonly holds: (place: number | null, permission: Permission) => boolean
  /** Why a change that needs the permission in the organization is not this person's to make; null where it is. */
  readonly denied: (permission: Permission) => string | null
  /** Those of the permissions that this person does not hold in all these projects, or with null everywhere in the organization. */
  readonly excess: (
    asked: ReadonlyArray<Permission>,
    applicationIds: ReadonlyArray<number> | null
  ) => ReadonlyArray<Permission>
  /** Those that this person holds nowhere: not even a token of their own can have them. */
  readonly nowhere: (
    asked: ReadonlyArray<Permission>,
    applicationIds: ReadonlyArray<number> | null
  ) => ReadonlyArray<Permission>
  /** Why this person may neither give the role nor take it away; null where they may. */
  readonly deniedRole: (
    role: Pick<Role, "name" | "type" | "permissions">,
    applicationId: number | null
  ) => string | null
}

const ownerRole = "Owner"

export const isOwnerRole = ({ name, type }: Pick<Role, "name" | "type">): boolean =>
  type === "builtin" && name === ownerRole

const listed = (permissions: ReadonlyArray<Permission>): string =>
  permissions.length > 4
    ? `${permissions.slice(0, 3).join(", ")} and ${permissions.length - 3} more`
    : permissions.join(", ")

/** What this person may give to others and take from them: nothing that they do not hold, as the server decides it. */
export const useRights = (organization: Organization): Rights => {
  const { role, applications } = organization
  // No other role can have this name.
  const isOwner = role.name === ownerRole
  const held = useQueries({
    queries: applications.map(({ id }) => permissionsQuery(id)),
    combine: (answers) => new Map(applications.map(({ id }, index) => [id, answers[index]?.data ?? []]))
  })
  const everywhere = applications.map(({ id }) => id)
  const holds = (place: number | null, permission: Permission): boolean =>
    (place === null ? role.permissions : (held.get(place) ?? [])).includes(permission)
  const excess: Rights["excess"] = (asked, applicationIds) =>
    isOwner
      ? []
      : asked.filter((permission) =>
          (applicationIds ?? [null, ...everywhere]).some((place) => !holds(place, permission))
        )
  return {
    holds,
    denied: (permission) => (holds(null, permission) ? null : deniedText(permission)),
    excess,
    nowhere: (asked, applicationIds) =>
      asked.filter(
        (permission) => ![null, ...(applicationIds ?? everywhere)].some((place) => holds(place, permission))
      ),
    deniedRole: (given, applicationId) => {
      if (isOwnerRole(given) && !isOwner) return "Only an owner can give or take the Owner role."
      const lacked = excess(given.permissions, applicationId === null ? null : [applicationId])
      return lacked.length === 0 ? null : `${given.name} allows what you may not: ${listed(lacked)}.`
    }
  }
}
