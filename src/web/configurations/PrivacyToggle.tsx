import type { Path } from "../../domain/configuration/Document.ts"
import { Icon } from "../ui/Icon.tsx"
import type { ConfigurationDraft } from "./Draft.ts"
import { pathsWithout, pathText, privacyOf } from "./Draft.ts"

interface Props {
  readonly draft: ConfigurationDraft
  readonly path: Path
  readonly isReadOnly: boolean
  readonly onChange: (draft: ConfigurationDraft) => void
}

const titles = {
  own: "Public keys do not get this value",
  inherited: "Public keys do not get this value, because what it stands in is private"
} as const

/** Whether public keys get a value. What is in a private object is private with it. */
export const PrivacyToggle = ({ draft, path, isReadOnly, onChange }: Props) => {
  const privacy = privacyOf(draft.privacy, path)
  const toggle = () =>
    onChange({
      ...draft,
      privacy: privacy === "own" ? pathsWithout(draft.privacy, [path]) : [...draft.privacy, path]
    })
  return (
    <button
      type="button"
      className="button button-icon button-quiet"
      aria-pressed={privacy !== null}
      aria-label={`${pathText(path)} is private`}
      title={privacy === null ? "Public keys get this value" : titles[privacy]}
      disabled={isReadOnly || privacy === "inherited"}
      onClick={toggle}
    >
      <Icon name={privacy === null ? "unlock" : "lock"} size={14} />
    </button>
  )
}
