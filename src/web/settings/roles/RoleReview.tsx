import { call } from "../../api/client.ts"
import { isOutdated } from "../../api/Failure.ts"
import type { Organization } from "../../shell/Project.tsx"
import { countText } from "../../text/Numbers.ts"
import { ChangedMeanwhile } from "../../ui/kept/ChangedMeanwhile.tsx"
import { Sheet } from "../../ui/dialogs/Sheet.tsx"
import { Callout } from "../../ui/States.tsx"
import { useChange, useMembers, useProjectGrants } from "../AccessQueries.ts"
import { RoleChange } from "./RoleChange.tsx"
import type { RoleDraft } from "./RoleDraft.ts"
import { differenceOf, holdersOf } from "./RoleDraft.ts"
import { SaveRow } from "../SaveRow.tsx"

interface Props {
  readonly organization: Organization
  readonly draft: RoleDraft
  readonly onSaved: () => void
  /** Somebody else has changed the role, and what they have made of it is to stand. */
  readonly onTheirs: () => void
  readonly onClose: () => void
}

/** What a role gains and loses, and who feels it, before it is saved. */
export const RoleReview = ({ organization, draft, onSaved, onTheirs, onClose }: Props) => {
  const { id: organizationId, applications } = organization
  const { role, permissions } = draft
  const members = useMembers(organizationId)
  const grants = useProjectGrants(
    organizationId,
    applications.map(({ id }) => id)
  )
  const { lost } = differenceOf(draft)
  const isKnown = members.data !== undefined && grants.data !== undefined
  const holders = role === null || !isKnown ? [] : holdersOf(role, members.data ?? [], grants.data ?? [])
  const save = useChange(
    (isOverTheirs: boolean) => {
      const body = {
        name: draft.name.trim(),
        description: draft.description.trim() === "" ? null : draft.description.trim(),
        permissions
      }
      return role === null
        ? call("roles.create", { path: { organizationId }, body })
        : call("roles.update", {
            path: { organizationId, roleId: role.id },
            body: isOverTheirs ? body : { ...body, basedOn: role.updatedAt }
          })
    },
    ["roles", "members", "organizations", "permissions"],
    onSaved
  )
  const projectOf = (id: number | null) =>
    id === null ? "" : ` in ${applications.find((each) => each.id === id)?.name ?? "a project"}`
  return (
    <Sheet title={role === null ? `New role ${draft.name}` : `Review ${role.name}`} onClose={onClose}>
      <form
        className="settings-form"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate(false)
        }}
      >
        {role !== null && draft.name.trim() !== role.name && (
          <p>
            It is called <b>{draft.name}</b> from now on, no longer {role.name}.
          </p>
        )}
        <RoleChange before={role?.permissions ?? []} after={permissions} />
        {role !== null && lost.length > 0 && (
          <Callout tone={role.memberCount > 0 ? "bad" : "warning"}>
            {role.memberCount === 0
              ? "Nobody holds the role, so nobody loses anything."
              : `${countText(role.memberCount, "member")} can no longer do that, from the next request on:`}
          </Callout>
        )}
        {role !== null && lost.length === 0 && role.memberCount > 0 && (
          <p>{countText(role.memberCount, "member")} may do so from the next request on:</p>
        )}
        {holders.length > 0 && (
          <ul className="plain-list" aria-label="Who holds the role">
            {holders.map(({ email, applicationId }) => (
              <li key={`${email} ${applicationId}`}>
                {email}
                {projectOf(applicationId)}
              </li>
            ))}
          </ul>
        )}
        {role !== null && role.memberCount > 0 && !isKnown && members.error !== null && (
          <p className="faint">Who they are is not yours to see: {members.error.message}.</p>
        )}
        {isOutdated(save.error) && (
          <ChangedMeanwhile
            what="this role"
            isBusy={save.isPending}
            onTheirs={onTheirs}
            onMine={() => save.mutate(true)}
          />
        )}
        <SaveRow
          error={isOutdated(save.error) ? null : save.error}
          isPending={save.isPending}
          isSaved={false}
          denied={null}
          words={role === null ? "Make the role" : "Save the role"}
        />
      </form>
    </Sheet>
  )
}
