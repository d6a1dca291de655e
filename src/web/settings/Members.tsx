import { useState } from "react"
import { useMe } from "../api/queries.ts"
import type { Organization } from "../shell/Project.tsx"
import { useProject } from "../shell/Project.tsx"
import { deniedText } from "../text/Denied.ts"
import { countText } from "../text/Numbers.ts"
import { bucketName } from "../text/Times.ts"
import { isFound } from "../text/Search.ts"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import { ListTable } from "../ui/ListTable.tsx"
import { pageOfRows } from "../ui/PageOfRows.ts"
import { Pages } from "../ui/Pages.tsx"
import { SearchField } from "../ui/SearchField.tsx"
import { Failed, Skeleton } from "../ui/States.tsx"
import { rowsAtOnce, useSearchedList } from "../url/SearchedList.ts"
import type { Member } from "./AccessQueries.ts"
import { useMembers, useProjectGrants, useRoles } from "./AccessQueries.ts"
import { Invitations } from "./Invitations.tsx"
import { MemberSheet } from "./MemberSheet.tsx"
import { deniedRemoval, isLastOwner } from "./MemberRules.ts"
import { PasswordLink } from "./PasswordLink.tsx"
import { RemoveMember } from "./RemoveMember.tsx"
import { SettingsPage } from "./Section.tsx"
import { useRights } from "./useRights.ts"

type Open = { readonly what: "roles" | "remove" | "password"; readonly member: Member } | null

/** Who belongs to the organization, and who is invited to it. */
export const Members = ({ organization }: { readonly organization: Organization }) => {
  const { timezone } = useProject()
  const me = useMe().data
  const rights = useRights(organization)
  const members = useMembers(organization.id)
  const roles = useRoles(organization.id)
  const grants = useProjectGrants(
    organization.id,
    organization.applications.map(({ id }) => id)
  )
  const { search, page, onSearch, onPage } = useSearchedList()
  const [open, setOpen] = useState<Open>(null)
  const denied = rights.denied("members:write")
  const found = members.data?.filter(({ user }) => isFound(search, user.name, user.email)) ?? []
  const shown = pageOfRows(found, page, rowsAtOnce)
  const grantsOf = (member: Member) =>
    grants.data?.filter(({ principal }) => principal.membershipId === member.membershipId) ?? []
  const deniedRoles = (): string | null =>
    denied ?? (rights.holds(null, "roles:read") ? null : deniedText("roles:read"))
  const projectsText = (member: Member) => {
    const own = grantsOf(member)
    if (own.length === 0) return <span className="faint">the same everywhere</span>
    return own
      .map(({ applicationId, role }) => {
        const project = organization.applications.find(({ id }) => id === applicationId)
        return `${role.name} in ${project?.name ?? "a project"}`
      })
      .join(", ")
  }
  const deniedToHold = (member: Member): string | null =>
    denied ?? deniedRemoval({ member, grants: grantsOf(member), roles: roles.data ?? [] }, rights)
  const deniedToRemove = (member: Member): string | null => {
    const all = members.data ?? []
    if (isLastOwner(member, all)) return "The last owner can neither leave nor lose the role."
    if (member.user.id === me?.id) return null
    return deniedToHold(member)
  }
  const actionsOf = (member: Member) => {
    const isMe = member.user.id === me?.id
    return (
      <>
        <DeniableButton
          look="button-small"
          denied={deniedRoles()}
          label={`Change the roles of ${member.user.name}`}
          onClick={() => setOpen({ what: "roles", member })}
        >
          Roles
        </DeniableButton>
        {!isMe && (
          <DeniableButton
            look="button-small"
            denied={deniedToHold(member)}
            label={`New password for ${member.user.name}`}
            onClick={() => setOpen({ what: "password", member })}
          >
            Password
          </DeniableButton>
        )}
        <DeniableButton
          look="button-small button-danger"
          denied={deniedToRemove(member)}
          label={isMe ? `Leave ${organization.name}` : `Remove ${member.user.name}`}
          onClick={() => setOpen({ what: "remove", member })}
        >
          {isMe ? "Leave" : "Remove"}
        </DeniableButton>
      </>
    )
  }
  return (
    <SettingsPage
      title="Members"
      lead={`People who work on the games of ${organization.name}. A role says what each may do.`}
    >
      <section className="card" aria-label="Members" aria-busy={members.isFetching}>
        {members.data === undefined ? (
          members.error === null ? (
            <Skeleton />
          ) : (
            <Failed error={members.error} retry={() => void members.refetch()} />
          )
        ) : (
          <>
            <div className="toolbar">
              <SearchField label="Search members" value={search} onChange={onSearch} />
              <span className="faint">{countText(members.data.length, "member")}</span>
            </div>
            {found.length === 0 ? (
              <p className="faint">Nobody is called “{search}”.</p>
            ) : (
              <ListTable
                label="List of members"
                rows={shown.rows}
                keyOf={({ membershipId }) => membershipId}
                columns={[
                  {
                    name: "Who",
                    kind: "head",
                    className: "key-cell",
                    render: ({ user }) => (
                      <>
                        <b>{user.name}</b> {user.id === me?.id && <span className="tag">you</span>}
                        <small className="faint">{user.email}</small>
                      </>
                    )
                  },
                  { name: "Role", render: ({ role }) => role.name },
                  { name: "In projects", className: "wrapped", render: projectsText },
                  { name: "Since", render: ({ createdAt }) => bucketName(createdAt, "day", timezone) },
                  { name: "Change", kind: "actions", render: actionsOf }
                ]}
              />
            )}
            <Pages page={shown.page} pages={shown.pages} onPage={onPage} />
            {denied !== null && <p className="faint">{denied}</p>}
          </>
        )}
      </section>
      {members.data !== undefined && (
        <Invitations organization={organization} roles={roles.data ?? []} rights={rights} />
      )}
      {open?.what === "roles" && members.data !== undefined && roles.data !== undefined && (
        <MemberSheet
          organization={organization}
          member={members.data.find(({ membershipId }) => membershipId === open.member.membershipId) ?? open.member}
          members={members.data}
          grants={grantsOf(open.member)}
          roles={roles.data}
          rights={rights}
          isMe={open.member.user.id === me?.id}
          onClose={() => setOpen(null)}
        />
      )}
      {open?.what === "password" && (
        <PasswordLink organizationId={organization.id} member={open.member} onClose={() => setOpen(null)} />
      )}
      {open?.what === "remove" && (
        <RemoveMember
          organization={organization}
          member={open.member}
          isMe={open.member.user.id === me?.id}
          onClose={() => setOpen(null)}
        />
      )}
    </SettingsPage>
  )
}
