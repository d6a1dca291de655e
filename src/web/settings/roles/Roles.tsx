import { useState } from "react"
import { call } from "../../api/client.ts"
import type { Organization } from "../../shell/Project.tsx"
import { deniedText } from "../../text/Denied.ts"
import { countText } from "../../text/Numbers.ts"
import { DeniableButton } from "../../ui/DeniableButton.tsx"
import { ConfirmDialog } from "../../ui/dialogs/ConfirmDialog.tsx"
import { KeptNotice } from "../../ui/kept/KeptNotice.tsx"
import { Failed, Skeleton } from "../../ui/States.tsx"
import { useKept } from "../../ui/kept/useKept.ts"
import type { Role } from "../AccessQueries.ts"
import { useChange, useRoles } from "../AccessQueries.ts"
import type { RoleDraft } from "./RoleDraft.ts"
import { copyOf, differenceOf, draftOf, isChanged, roleShape } from "./RoleDraft.ts"
import { RoleMatrix } from "./RoleMatrix.tsx"
import { RoleReview } from "./RoleReview.tsx"
import { SettingsPage } from "../Section.tsx"
import { useRights } from "../useRights.ts"
import "../../theme/draft.css"

/** What each role allows. Built-in roles stay as they are; own ones begin as a copy. */
export const Roles = ({ organization }: { readonly organization: Organization }) => {
  const rights = useRights(organization)
  const roles = useRoles(organization.id)
  const { draft, wasKept, change, discard } = useKept(`role-${organization.id}`, roleShape)
  const setDraft = (next: RoleDraft) => change(() => next)
  const [isReviewing, review] = useState(false)
  const [deleted, setDeleted] = useState<Role | null>(null)
  const denied = rights.denied("roles:write")
  const drop = () => {
    review(false)
    discard()
  }
  const remove = useChange(
    (role: Role) => call("roles.remove", { path: { organizationId: organization.id, roleId: role.id } }),
    ["roles"],
    () => setDeleted(null)
  )
  const mayGive = (permission: Role["permissions"][number]) => rights.excess([permission], null).length === 0
  const difference = draft === null ? null : differenceOf(draft)
  const name = draft?.name.trim() ?? ""
  const isTaken =
    draft !== null &&
    (roles.data ?? []).some((role) => role.id !== draft.role?.id && role.name.toLowerCase() === name.toLowerCase())
  return (
    <SettingsPage
      title="Roles"
      lead="A role says what its members may do. Members have one in the organization, and may have another in single projects."
    >
      {denied !== null && <p className="faint">{denied}</p>}
      {draft !== null && wasKept && (
        <KeptNotice what={draft.role === null ? "This role" : `What you changed of ${draft.role.name}`} />
      )}
      {draft !== null && (
        <section className="card role-names" aria-label="Role">
          <h2>{draft.role === null ? "New role" : `Edit ${draft.role.name}`}</h2>
          <label className="field">
            Name
            <input
              value={draft.name}
              maxLength={100}
              autoComplete="off"
              aria-invalid={isTaken || name === ""}
              onChange={({ currentTarget }) => setDraft({ ...draft, name: currentTarget.value })}
            />
            <small>{isTaken ? "Another role has this name." : "Tick what it allows in its column below."}</small>
          </label>
          <label className="field">
            Description
            <input
              value={draft.description}
              maxLength={255}
              autoComplete="off"
              onChange={({ currentTarget }) => setDraft({ ...draft, description: currentTarget.value })}
            />
          </label>
        </section>
      )}
      <section className="card" aria-label="Roles" aria-busy={roles.isFetching}>
        {roles.data === undefined ? (
          roles.error === null ? (
            <Skeleton />
          ) : (
            <Failed error={roles.error} retry={() => void roles.refetch()} />
          )
        ) : (
          <RoleMatrix
            roles={roles.data}
            draft={draft}
            denied={denied}
            deniedDraft={draft !== null && isChanged(draft) ? "Review or discard the draft first." : null}
            deniedPermission={(permission) => (mayGive(permission) ? null : deniedText(permission))}
            onDraft={setDraft}
            onEdit={(role) => setDraft(draftOf(role))}
            onCopy={(role) => setDraft(copyOf(role, mayGive))}
            onDelete={(role) => {
              remove.reset()
              setDeleted(role)
            }}
          />
        )}
      </section>
      {draft !== null && difference !== null && (
        <div className="draft-bar" role="region" aria-label="Draft">
          <span aria-live="polite">
            {draft.role === null
              ? `${countText(draft.permissions.length, "permission")} in the new role.`
              : difference.gained.length + difference.lost.length === 0
                ? "It allows what it did."
                : `Gains ${difference.gained.length}, loses ${difference.lost.length}. Nobody feels it yet.`}
          </span>
          <span className="row">
            <button type="button" className="button" onClick={discard}>
              Discard
            </button>
            <DeniableButton
              look="button-primary"
              denied={
                name === ""
                  ? "A role needs a name."
                  : isTaken
                    ? "Another role has this name."
                    : isChanged(draft)
                      ? null
                      : "Nothing is changed yet."
              }
              onClick={() => review(true)}
            >
              Review
            </DeniableButton>
          </span>
        </div>
      )}
      {draft !== null && isReviewing && (
        <RoleReview
          organization={organization}
          draft={draft}
          onSaved={drop}
          onTheirs={() => {
            drop()
            void roles.refetch()
          }}
          onClose={() => review(false)}
        />
      )}
      {deleted !== null && (
        <ConfirmDialog
          title={`Delete ${deleted.name}?`}
          action="Delete the role"
          error={remove.error}
          isPending={remove.isPending}
          onConfirm={() => remove.mutate(deleted)}
          onClose={() => setDeleted(null)}
        >
          <p>Nobody holds it. Expired invitations to it go with it.</p>
        </ConfirmDialog>
      )}
    </SettingsPage>
  )
}
