import { useId } from "react"
import type { Role } from "./AccessQueries.ts"

interface Props {
  readonly label: string
  readonly name?: string
  readonly roles: ReadonlyArray<Role>
  readonly value: number | null
  /** Why a role cannot be given; null where it can. */
  readonly denied: (role: Role) => string | null
  /** Nothing can be chosen, as what stands beside it says. */
  readonly isDisabled?: boolean
  /** What stands for no role of one's own; left out where there has to be one. */
  readonly none?: string
  /** Why that cannot be chosen; null where it can. */
  readonly deniedNone?: string | null
  readonly onChoose: (roleId: number | null) => void
}

/** A role to choose; those that one may not give are shown and cannot be chosen, and below it stands why. */
export const RoleSelect = ({
  label,
  name,
  roles,
  value,
  denied,
  isDisabled = false,
  none,
  deniedNone = null,
  onChoose
}: Props) => {
  const why = useId()
  // What is chosen may stay so.
  const reasonOf = (role: Role) => (role.id === value ? null : denied(role))
  const reasonOfNone = value === null ? null : deniedNone
  const reasons = new Set([reasonOfNone, ...roles.map(reasonOf)])
  reasons.delete(null)
  const isExplained = !isDisabled && reasons.size > 0
  return (
    <>
      <select
        className="input"
        aria-label={label}
        aria-describedby={isExplained ? why : undefined}
        name={name}
        value={value ?? ""}
        disabled={isDisabled}
        onChange={({ currentTarget }) => onChoose(currentTarget.value === "" ? null : Number(currentTarget.value))}
      >
        {none !== undefined && (
          <option value="" disabled={reasonOfNone !== null}>
            {none}
          </option>
        )}
        {roles.map((role) => (
          <option key={role.id} value={role.id} disabled={reasonOf(role) !== null}>
            {role.name}
          </option>
        ))}
      </select>
      {isExplained && (
        <small id={why} className="faint">
          {[...reasons].join(" ")}
        </small>
      )}
    </>
  )
}
