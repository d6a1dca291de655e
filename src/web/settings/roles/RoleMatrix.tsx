import { Fragment } from "react"
import type { Permission } from "../../../domain/access/Permission.ts"
import { countText } from "../../text/Numbers.ts"
import { DeniableCheck } from "../../ui/DeniableCheck.tsx"
import { DeniableButton } from "../../ui/DeniableButton.tsx"
import { Icon } from "../../ui/Icon.tsx"
import type { Role } from "../AccessQueries.ts"
import { permissionGroups, permissionWords } from "../Permissions.ts"
import type { RoleDraft } from "./RoleDraft.ts"

interface Props {
  readonly roles: ReadonlyArray<Role>
  readonly draft: RoleDraft | null
  /** Why roles cannot be changed; null where they can. */
  readonly denied: string | null
  /** Why no other draft can be begun; null where one can. */
  readonly deniedDraft: string | null
  /** Why a permission can be neither given nor taken; null where it can. */
  readonly deniedPermission: (permission: Permission) => string | null
  readonly onDraft: (draft: RoleDraft) => void
  readonly onEdit: (role: Role) => void
  readonly onCopy: (role: Role) => void
  readonly onDelete: (role: Role) => void
}

const Mark = ({ isHeld }: { readonly isHeld: boolean }) =>
  isHeld ? (
    <>
      <Icon name="check" size={14} />
      <span className="unseen">yes</span>
    </>
  ) : (
    <span className="unseen">no</span>
  )

/** Roles as columns, permissions as rows. The column of the draft can be ticked. */
export const RoleMatrix = (props: Props) => {
  const { draft, denied, deniedDraft, deniedPermission, onDraft } = props
  // What is being changed stands beside the names of the permissions, where a phone shows it.
  const roles = [...props.roles].sort(
    (left, right) => Number(right.id === draft?.role?.id) - Number(left.id === draft?.role?.id)
  )
  const toggle = (permission: Permission, present: RoleDraft) =>
    onDraft({
      ...present,
      permissions: present.permissions.includes(permission)
        ? present.permissions.filter((each) => each !== permission)
        : [...present.permissions, permission]
    })
  return (
    <div className="table-box table-tall matrix-box" role="region" aria-label="Permissions of roles" tabIndex={0}>
      <table className="table table-pinned matrix">
        <thead>
          <tr>
            <th scope="col">Permission</th>
            {draft?.role === null && (
              <th scope="col" className="matrix-draft">
                <b>{draft.name}</b>
                <small>new</small>
              </th>
            )}
            {roles.map((role) => (
              <th key={role.id} scope="col" className={draft?.role?.id === role.id ? "matrix-draft" : undefined}>
                <b>{role.name}</b>
                <small>{role.type === "builtin" ? "built in" : "own"}</small>
                <small>{countText(role.memberCount, "member")}</small>
                <span className="matrix-actions">
                  <DeniableButton
                    look="button-small button-quiet"
                    denied={denied ?? deniedDraft}
                    label={`Copy ${role.name}`}
                    onClick={() => props.onCopy(role)}
                  >
                    Copy
                  </DeniableButton>
                  {role.type === "custom" && (
                    <>
                      <DeniableButton
                        look="button-small button-quiet"
                        denied={denied ?? deniedDraft}
                        label={`Edit ${role.name}`}
                        onClick={() => props.onEdit(role)}
                      >
                        Edit
                      </DeniableButton>
                      <DeniableButton
                        look="button-small button-quiet"
                        denied={
                          denied ?? (role.memberCount > 0 ? "Somebody holds it: give them another role first." : null)
                        }
                        label={`Delete ${role.name}`}
                        onClick={() => props.onDelete(role)}
                      >
                        Delete
                      </DeniableButton>
                    </>
                  )}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {permissionGroups.map(([group, permissions]) => (
            <Fragment key={group}>
              <tr className="matrix-group">
                <th scope="colgroup" colSpan={roles.length + (draft?.role === null ? 2 : 1)}>
                  {group}
                </th>
              </tr>
              {permissions.map((permission) => {
                const cell = (present: RoleDraft) => (
                  <td key="draft" className="matrix-draft">
                    <DeniableCheck
                      label={`${present.name}: ${permission}`}
                      isChecked={present.permissions.includes(permission)}
                      denied={deniedPermission(permission)}
                      onChange={() => toggle(permission, present)}
                    />
                  </td>
                )
                return (
                  <tr key={permission}>
                    <th scope="row">
                      {permissionWords[permission]}
                      <code>{permission}</code>
                    </th>
                    {draft?.role === null && cell(draft)}
                    {roles.map((role) =>
                      draft?.role?.id === role.id ? (
                        cell(draft)
                      ) : (
                        <td key={role.id}>
                          <Mark isHeld={role.permissions.includes(permission)} />
                        </td>
                      )
                    )}
                  </tr>
                )
              })}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  )
}
