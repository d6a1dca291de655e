import type { Permission } from "../../domain/access/Permission.ts"
import { DeniableCheck } from "../ui/DeniableCheck.tsx"
import { permissionGroups, permissionWords } from "./Permissions.ts"

interface Props {
  readonly chosen: ReadonlyArray<Permission>
  /** Whether the permission makes sense here at all: others are not shown. */
  readonly isPossible: (permission: Permission) => boolean
  /** Why a permission cannot be chosen; null where it can. One that is chosen can always be taken away. */
  readonly denied: (permission: Permission) => string | null
  readonly onChange: (chosen: ReadonlyArray<Permission>) => void
}

/** Permissions to tick, by what they are about. */
export const PermissionPicker = ({ chosen, isPossible, denied, onChange }: Props) => (
  <div className="permission-picker">
    {permissionGroups
      .filter(([, permissions]) => permissions.some(isPossible))
      .map(([name, permissions]) => (
        <fieldset key={name}>
          <legend>{name}</legend>
          {permissions.filter(isPossible).map((permission) => {
            const isChosen = chosen.includes(permission)
            return (
              <DeniableCheck
                key={permission}
                denied={isChosen ? null : denied(permission)}
                isChecked={isChosen}
                onChange={() =>
                  onChange(isChosen ? chosen.filter((each) => each !== permission) : [...chosen, permission])
                }
              >
                <span>
                  {permissionWords[permission]} <code>{permission}</code>
                </span>
              </DeniableCheck>
            )
          })}
        </fieldset>
      ))}
  </div>
)
