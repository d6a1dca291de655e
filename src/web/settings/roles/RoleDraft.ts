import type { Permission } from "../../../domain/access/Permission.ts"
import type { Shape } from "../../ui/kept/Kept.ts"
import type { Grant, Member, Role } from "../AccessQueries.ts"

/** A role that is being made or changed; nobody has it so yet. */
export interface RoleDraft {
  /** What is changed; null for a new role. */
  readonly role: Role | null
  readonly name: string
  readonly description: string
  readonly permissions: ReadonlyArray<Permission>
}

/** A draft as the browser keeps it. */
export const roleShape: Shape<RoleDraft> = {
  version: 1,
  read: (kept) => (Array.isArray(kept.permissions) ? kept : null)
}

export const draftOf = (role: Role): RoleDraft => ({
  role,
  name: role.name,
  description: role.description ?? "",
  permissions: role.permissions
})

/** A new role that begins with what another allows, as far as this person may give it. */
export const copyOf = (role: Role, mayGive: (permission: Permission) => boolean): RoleDraft => ({
  role: null,
  name: `Copy of ${role.name}`,
  description: "",
  permissions: role.permissions.filter(mayGive)
})

/** Permissions of the draft that its role does not have, and those of the role that it has no more. */
export const differenceOf = ({ role, permissions }: RoleDraft) => {
  const before = role?.permissions ?? []
  return {
    gained: permissions.filter((each) => !before.includes(each)),
    lost: before.filter((each) => !permissions.includes(each))
  }
}

export const isChanged = (draft: RoleDraft): boolean => {
  const { gained, lost } = differenceOf(draft)
  const { role, name, description } = draft
  return (
    role === null ||
    gained.length + lost.length > 0 ||
    name.trim() !== role.name ||
    description.trim() !== (role.description ?? "")
  )
}

interface Holder {
  readonly email: string
  /** Projects in which they hold the role; null for the organization. */
  readonly applicationId: number | null
}

/** Who holds the role, and where. */
export const holdersOf = (
  role: Role,
  members: ReadonlyArray<Member>,
  grants: ReadonlyArray<Grant>
): ReadonlyArray<Holder> => [
  ...members
    .filter((member) => member.role.id === role.id)
    .map(({ user }) => ({ email: user.email, applicationId: null })),
  ...grants
    .filter((grant) => grant.role.id === role.id)
    .map(({ principal, applicationId }) => ({ email: principal.user.email, applicationId }))
]
