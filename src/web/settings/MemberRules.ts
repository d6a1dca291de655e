import type { Grant, Member, Role } from "./AccessQueries.ts"
import type { Rights } from "./useRights.ts"
import { isOwnerRole } from "./useRights.ts"

interface Held {
  readonly member: Member
  /** Roles in single projects. */
  readonly grants: ReadonlyArray<Grant>
  readonly roles: ReadonlyArray<Role>
}

const isOwner = ({ role }: Member): boolean => isOwnerRole({ name: role.name, type: "builtin" })

/** Whether nobody else owns the organization. */
export const isLastOwner = (member: Member, members: ReadonlyArray<Member>): boolean =>
  isOwner(member) && !members.some((other) => other.membershipId !== member.membershipId && isOwner(other))

export const roleOf = (roles: ReadonlyArray<Role>, id: number): Role | undefined => roles.find((role) => role.id === id)

/** Why this person may not remove the member: roles can be taken only by who holds what they allow. Null where they may. */
export const deniedRemoval = ({ member, grants, roles }: Held, rights: Rights): string | null => {
  const held = [
    { roleId: member.role.id, applicationId: null },
    ...grants.map(({ role, applicationId }) => ({ roleId: role.id, applicationId }))
  ]
  for (const { roleId, applicationId } of held) {
    const role = roleOf(roles, roleId)
    const reason = role === undefined ? "It is not known what the role allows." : rights.deniedRole(role, applicationId)
    if (reason !== null) return reason
  }
  return null
}
