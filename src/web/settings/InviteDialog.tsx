import { useState } from "react"
import { call } from "../api/client.ts"
import type { Answer } from "../api/Wire.ts"
import { fieldText } from "../text/Form.ts"
import { FormDialog } from "../ui/dialogs/FormDialog.tsx"
import type { Invitation, Role } from "./AccessQueries.ts"
import { useChange } from "./AccessQueries.ts"
import { RoleSelect } from "./RoleSelect.tsx"
import type { Rights } from "./useRights.ts"
import { FormDialogEnd } from "../ui/dialogs/FormDialogEnd.tsx"

interface Props {
  readonly organizationId: number
  readonly roles: ReadonlyArray<Role>
  readonly rights: Rights
  /** The invitation that a new link replaces; null for another person. */
  readonly again: Invitation | null
  readonly onSent: (invitation: Answer<"invitations.create">) => void
  readonly onClose: () => void
}

const usual = "Viewer"

/** Asks whom to invite, and to what. */
export const InviteDialog = ({ organizationId, roles, rights, again, onSent, onClose }: Props) => {
  const givable = roles.filter((role) => rights.deniedRole(role, null) === null)
  const [picked, choose] = useState<number | null>(null)
  // Whoever is quick opens it before the roles are there.
  const chosen = picked ?? again?.role.id ?? (givable.find(({ name }) => name === usual) ?? givable[0])?.id ?? null
  const invite = useChange(
    (form: FormData) =>
      chosen === null
        ? Promise.reject(new Error("Choose a role."))
        : call("invitations.create", {
            path: { organizationId },
            body: {
              email: again?.email ?? fieldText(form, "email"),
              roleId: chosen,
              expiresInDays: Number(fieldText(form, "days"))
            }
          }),
    ["invitations"],
    onSent
  )
  return (
    <FormDialog
      title={again === null ? "Invite somebody" : `New link for ${again.email}`}
      onClose={onClose}
      onSubmit={invite.mutate}
    >
      {again === null ? (
        <label className="field">
          E-mail
          <input name="email" type="email" required autoComplete="off" />
        </label>
      ) : (
        <p>The link sent before leads nowhere then.</p>
      )}
      <div className="field">
        Role
        <RoleSelect
          label="Role"
          roles={roles}
          value={chosen}
          denied={(role) => rights.deniedRole(role, null)}
          onChoose={choose}
        />
        {chosen !== null && <small>{roles.find(({ id }) => id === chosen)?.description}</small>}
      </div>
      <label className="field">
        Days it works
        <input name="days" type="number" min={1} max={90} required defaultValue={7} />
      </label>
      <FormDialogEnd
        error={invite.error}
        submit="Make the link"
        lacks={chosen === null ? "Choose a role that you may give." : null}
        isDisabled={invite.isPending}
        onClose={onClose}
      />
    </FormDialog>
  )
}
