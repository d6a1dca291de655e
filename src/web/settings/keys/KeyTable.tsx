import type { Environment, Organization } from "../../shell/Project.tsx"
import { countText } from "../../text/Numbers.ts"
import { momentText } from "../../text/Times.ts"
import { DeniableButton } from "../../ui/DeniableButton.tsx"
import type { Key } from "../AccessQueries.ts"
import { keyPermissions } from "../../../domain/access/KeyPermissions.ts"
import { hasEnded, overlapEnd } from "./KeyState.ts"

interface Props {
  /** "Keys", "Personal tokens". */
  readonly title: string
  readonly keys: ReadonlyArray<Key>
  readonly organization: Organization | null
  readonly environments: ReadonlyArray<Environment>
  readonly timezone: string
  readonly deniedChange: string | null
  readonly deniedRotation: (key: Key) => string | null
  readonly deniedRevocation: (key: Key) => string | null
  readonly onChange: (key: Key) => void
  readonly onRotate: (key: Key) => void
  readonly onRevoke: (key: Key) => void
}

const stateOf = (key: Key, timezone: string): string => {
  if (key.deactivatedAt !== null) return `revoked ${momentText(key.deactivatedAt, timezone)}`
  if (hasEnded(key)) return `ended ${momentText(key.expiresAt ?? "", timezone)}`
  return key.expiresAt === null ? "works" : `works until ${momentText(key.expiresAt, timezone)}`
}

const Allowed = ({ secretKey }: { readonly secretKey: Key }) => {
  const permissions = [...keyPermissions(secretKey)]
  return (
    <details>
      <summary>{countText(permissions.length, "permission")}</summary>
      <ul className="plain-list">
        {permissions.map((permission) => (
          <li key={permission}>
            <code>{permission}</code>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** Keys or tokens: where they work, what they may do, when they were used. */
export const KeyTable = (props: Props) => {
  const { title, keys, organization, environments, timezone } = props
  const placeOf = (key: Key): string => {
    const projects = organization?.applications.filter(({ id }) => key.applicationIds.includes(id)) ?? []
    const names = environments.filter(({ id }) => key.environmentIds.includes(id)).map(({ name }) => name)
    const where = key.allProjects ? "All projects" : projects.map(({ name }) => name).join(", ")
    const hidden = key.environmentIds.length - names.length
    const shown = [...new Set(names), ...(hidden > 0 ? [countText(hidden, "other environment")] : [])].join(", ")
    return `${where === "" ? "Projects that are gone" : where}: ${shown}`
  }
  return (
    <div className="table-box" role="region" aria-label={`List of ${title.toLowerCase()}`} tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Works in</th>
            <th scope="col">May</th>
            <th scope="col">Last used</th>
            <th scope="col">Made</th>
            <th scope="col">
              <span className="unseen">Change</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => {
            const isOver = key.deactivatedAt !== null
            const overlap = overlapEnd(key)
            return (
              <tr key={key.id} className={isOver || hasEnded(key) ? "row-hidden" : undefined}>
                <th scope="row" className="key-cell">
                  <b>{key.name}</b> <span className="tag">{key.type}</span>
                  <small className="faint">
                    <code>
                      {key.keyPrefix}…{key.lastFour}
                    </code>{" "}
                    {stateOf(key, timezone)}
                  </small>
                  {overlap !== null && (
                    <small className="faint">The secret before works until {momentText(overlap, timezone)}.</small>
                  )}
                </th>
                <td className="wrapped">{placeOf(key)}</td>
                <td className="wrapped">
                  <Allowed secretKey={key} />
                </td>
                <td>{key.lastUsedAt === null ? "never" : momentText(key.lastUsedAt, timezone)}</td>
                <td>
                  {momentText(key.createdAt, timezone)}
                  <small className="faint">by {key.createdBy?.email ?? "somebody who has left"}</small>
                </td>
                <td className="row-actions">
                  <DeniableButton
                    look="button-small"
                    label={`Change ${key.name}`}
                    denied={isOver ? "It was revoked." : props.deniedChange}
                    onClick={() => props.onChange(key)}
                  >
                    Change
                  </DeniableButton>
                  <DeniableButton
                    look="button-small"
                    label={`Rotate ${key.name}`}
                    denied={isOver ? "It was revoked." : props.deniedRotation(key)}
                    onClick={() => props.onRotate(key)}
                  >
                    Rotate
                  </DeniableButton>
                  <DeniableButton
                    look="button-small button-danger"
                    label={`Revoke ${key.name}`}
                    denied={isOver ? "It was revoked." : props.deniedRevocation(key)}
                    onClick={() => props.onRevoke(key)}
                  >
                    Revoke
                  </DeniableButton>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
