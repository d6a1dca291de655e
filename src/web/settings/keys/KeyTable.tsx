import type { Environment, Organization } from "../../shell/Project.tsx"
import { countText } from "../../text/Numbers.ts"
import { DeniableButton } from "../../ui/DeniableButton.tsx"
import { ListTable } from "../../ui/ListTable.tsx"
import type { Key } from "../AccessQueries.ts"
import { keyPermissions } from "../../../domain/access/KeyPermissions.ts"
import { hasEnded, overlapEnd } from "./KeyState.ts"
import { Moment } from "../../ui/Moment.tsx"

interface Props {
  /** "Keys", "Personal tokens". */
  readonly title: string
  readonly keys: ReadonlyArray<Key>
  readonly organization: Organization | null
  readonly environments: ReadonlyArray<Environment>
  /** Whose time is told: tokens are of a person, other keys of the project. */
  readonly of: "project" | "person"
  readonly deniedChange: string | null
  readonly deniedRotation: (key: Key) => string | null
  readonly deniedRevocation: (key: Key) => string | null
  readonly onChange: (key: Key) => void
  readonly onRotate: (key: Key) => void
  readonly onRevoke: (key: Key) => void
}

const State = ({ secretKey: key, of }: { readonly secretKey: Key; readonly of: Props["of"] }) => {
  const at = key.deactivatedAt ?? key.expiresAt
  if (at === null) return "works"
  return (
    <>
      {key.deactivatedAt !== null ? "revoked" : hasEnded(key) ? "ended" : "works until"} <Moment at={at} of={of} />
    </>
  )
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

const Named = ({ secretKey: key, of }: { readonly secretKey: Key; readonly of: Props["of"] }) => {
  const overlap = overlapEnd(key)
  return (
    <>
      <b>{key.name}</b> <span className="tag">{key.type}</span>
      <small className="faint">
        <code>
          {key.keyPrefix}…{key.lastFour}
        </code>{" "}
        <State secretKey={key} of={of} />
      </small>
      {overlap !== null && (
        <small className="faint">
          The secret before works until <Moment at={overlap} of={of} />.
        </small>
      )}
    </>
  )
}

/** Keys or tokens: where they work, what they may do, when they were used. */
export const KeyTable = (props: Props) => {
  const { title, keys, organization, environments, of } = props
  const placeOf = (key: Key): string => {
    const projects = organization?.applications.filter(({ id }) => key.applicationIds.includes(id)) ?? []
    const names = environments.filter(({ id }) => key.environmentIds.includes(id)).map(({ name }) => name)
    const where = key.allProjects ? "All projects" : projects.map(({ name }) => name).join(", ")
    const hidden = key.environmentIds.length - names.length
    const shown = [...new Set(names), ...(hidden > 0 ? [countText(hidden, "other environment")] : [])].join(", ")
    return `${where === "" ? "Projects that are gone" : where}: ${shown}`
  }
  const actionsOf = (key: Key) => {
    const over = key.deactivatedAt === null ? null : "It was revoked."
    return (
      <>
        <DeniableButton
          look="button-small"
          label={`Change ${key.name}`}
          denied={over ?? props.deniedChange}
          onClick={() => props.onChange(key)}
        >
          Change
        </DeniableButton>
        <DeniableButton
          look="button-small"
          label={`Rotate ${key.name}`}
          denied={over ?? props.deniedRotation(key)}
          onClick={() => props.onRotate(key)}
        >
          Rotate
        </DeniableButton>
        <DeniableButton
          look="button-small button-danger"
          label={`Revoke ${key.name}`}
          denied={over ?? props.deniedRevocation(key)}
          onClick={() => props.onRevoke(key)}
        >
          Revoke
        </DeniableButton>
      </>
    )
  }
  return (
    <ListTable
      label={`List of ${title.toLowerCase()}`}
      rows={keys}
      keyOf={({ id }) => id}
      isOver={(key) => key.deactivatedAt !== null || hasEnded(key)}
      columns={[
        {
          name: "Name",
          kind: "head",
          className: "key-cell",
          render: (key) => <Named secretKey={key} of={of} />
        },
        { name: "Works in", className: "wrapped", render: placeOf },
        { name: "May", className: "wrapped", render: (key) => <Allowed secretKey={key} /> },
        {
          name: "Last used",
          render: ({ lastUsedAt }) => (lastUsedAt === null ? "never" : <Moment at={lastUsedAt} of={of} />)
        },
        {
          name: "Made",
          render: ({ createdAt, createdBy }) => (
            <>
              <Moment at={createdAt} of={of} />
              <small className="faint">by {createdBy?.email ?? "somebody who has left"}</small>
            </>
          )
        },
        { name: "Change", kind: "actions", render: actionsOf }
      ]}
    />
  )
}
