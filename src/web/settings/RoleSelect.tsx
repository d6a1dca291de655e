import type { Role } from "./AccessQueries.ts"

interface Props {
  readonly label: string
  readonly name?: string
  readonly roles: ReadonlyArray<Role>
  readonly value: number | null
  /** Why a role cannot be given; null where it can. */
  readonly denied: (role: Role) => string | null
  readonly disabled?: string | null
  /** What stands for no role of one's own; left out where there has to be one. */
  readonly none?: string
  /** Why that cannot be chosen; null where it can. */
  readonly deniedNone?: string | null
  readonly onChoose: (roleId: number | null) => void
}

/** A role to choose; those that one may not give are shown and cannot be chosen. */
export const RoleSelect = ({
  label,
  name,
  roles,
  value,
  denied,
  disabled = null,
  none,
  deniedNone = null,
  onChoose
}: Props) => (
  <select
    className="input"
    aria-label={label}
    name={name}
    value={value ?? ""}
    disabled={disabled !== null}
    title={disabled ?? undefined}
    onChange={({ currentTarget }) => onChoose(currentTarget.value === "" ? null : Number(currentTarget.value))}
  >
    {none !== undefined && (
      <option value="" disabled={deniedNone !== null && value !== null}>
        {none}
      </option>
    )}
    {roles.map((role) => (
      <option key={role.id} value={role.id} disabled={denied(role) !== null && role.id !== value}>
        {role.name}
      </option>
    ))}
  </select>
)
