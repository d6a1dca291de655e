import { useState } from "react"
import { call } from "../api/client.ts"
import type { Organization } from "../shell/Project.tsx"
import { Sheet } from "../ui/dialogs/Sheet.tsx"
import type { Grant, Member, Role } from "./AccessQueries.ts"
import { useChange } from "./AccessQueries.ts"
import { isLastOwner, roleOf } from "./MemberRules.ts"
import { RoleChange } from "./roles/RoleChange.tsx"
import { RoleSelect } from "./RoleSelect.tsx"
import { SaveRow } from "./SaveRow.tsx"
import type { Rights } from "./useRights.ts"

interface Props {
  readonly organization: Organization
  readonly member: Member
  readonly members: ReadonlyArray<Member>
  /** Roles of the member in single projects. */
  readonly grants: ReadonlyArray<Grant>
  readonly roles: ReadonlyArray<Role>
  readonly rights: Rights
  readonly isMe: boolean
  readonly onClose: () => void
}

/** What is asked again after somebody's role has changed: it may be one's own. */
const touched = ["members", "grants", "roles", "organizations", "permissions"]

interface PlaceProps {
  /** "In the organization", the name of a project. */
  readonly name: string
  readonly present: number | null
  /** Permissions that the member holds there now, and would hold with this role. */
  readonly permissionsOf: (roleId: number | null) => Role["permissions"]
  readonly roles: ReadonlyArray<Role>
  readonly denied: string | null
  readonly deniedRole: (role: Role) => string | null
  readonly none?: string
  readonly deniedNone?: string | null
  readonly change: (roleId: number | null) => Promise<unknown>
}

const Place = ({
  name,
  present,
  permissionsOf,
  roles,
  denied,
  deniedRole,
  none,
  deniedNone = null,
  change
}: PlaceProps) => {
  const [chosen, choose] = useState(present)
  const save = useChange(change, touched)
  const isChanged = chosen !== present
  return (
    <form
      className="member-role"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate(chosen)
      }}
    >
      <h3>{name}</h3>
      {denied !== null && <p className="faint">{denied}</p>}
      <RoleSelect
        // Once it is saved, nothing is lost by closing the sheet.
        key={present}
        label={`Role: ${name}`}
        roles={roles}
        value={chosen}
        denied={deniedRole}
        isDisabled={denied !== null}
        deniedNone={deniedNone}
        {...(none === undefined ? {} : { none })}
        onChoose={choose}
      />
      {isChanged && (
        <>
          <RoleChange before={permissionsOf(present)} after={permissionsOf(chosen)} />
          <SaveRow error={save.error} isPending={save.isPending} isSaved={save.isSuccess} denied={null} />
        </>
      )}
      {!isChanged && save.isSuccess && <p role="status">Saved.</p>}
    </form>
  )
}

/** The roles of a member: one in the organization, and others instead of it in single projects. */
export const MemberSheet = ({ organization, member, members, grants, roles, rights, isMe, onClose }: Props) => {
  const { id: organizationId, applications } = organization
  const { membershipId } = member
  const present = roleOf(roles, member.role.id)
  const permissionsOf = (roleId: number | null) =>
    (roleId === null ? present : roleOf(roles, roleId))?.permissions ?? []
  const taking = (role: Role | undefined, applicationId: number | null): string | null =>
    role === undefined ? "It is not known what the present role allows." : rights.deniedRole(role, applicationId)
  return (
    <Sheet title={`Roles of ${member.user.name}`} onClose={onClose}>
      <Place
        name="In the organization"
        present={member.role.id}
        permissionsOf={permissionsOf}
        roles={roles}
        denied={
          isLastOwner(member, members)
            ? "The last owner can neither leave nor lose the role."
            : isMe
              ? null
              : taking(present, null)
        }
        deniedRole={(role) => rights.deniedRole(role, null)}
        change={(roleId) =>
          call("organizations.setMemberRole", {
            path: { organizationId, membershipId },
            body: { roleId: roleId ?? member.role.id }
          })
        }
      />
      <p className="faint">A role in a project replaces the one in the organization there.</p>
      {applications.map(({ id: applicationId, name }) => {
        const own = grants.find((grant) => grant.applicationId === applicationId)
        return (
          <Place
            key={applicationId}
            name={name}
            present={own?.role.id ?? null}
            permissionsOf={permissionsOf}
            roles={roles}
            none={`As in the organization: ${member.role.name}`}
            deniedNone={taking(present, applicationId)}
            denied={taking(own === undefined ? present : roleOf(roles, own.role.id), applicationId)}
            deniedRole={(role) => rights.deniedRole(role, applicationId)}
            change={(roleId) => {
              const path = { organizationId, applicationId, membershipId }
              return roleId === null
                ? call("roles.removeProjectGrant", { path })
                : call("roles.setProjectGrant", { path, body: { roleId } })
            }}
          />
        )
      })}
    </Sheet>
  )
}
