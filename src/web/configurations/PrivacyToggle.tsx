import type { Path } from "../../domain/configuration/Document.ts"
import { deniedText } from "../text/Denied.ts"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import { Icon } from "../ui/Icon.tsx"
import type { ConfigurationDraft } from "./Draft.ts"
import { pathsWithout, pathText, privacyOf } from "./Draft.ts"

interface Props {
  readonly draft: ConfigurationDraft
  readonly path: Path
  readonly isReadOnly: boolean
  readonly onChange: (draft: ConfigurationDraft) => void
}

const inherited = "Public keys do not get this value, because what it stands in is private."

/** Whether public keys get a value. What is in a private object is private with it. */
export const PrivacyToggle = ({ draft, path, isReadOnly, onChange }: Props) => {
  const privacy = privacyOf(draft.privacy, path)
  const toggle = () =>
    onChange({
      ...draft,
      privacy: privacy === "own" ? pathsWithout(draft.privacy, [path]) : [...draft.privacy, path]
    })
  return (
    <DeniableButton
      look="button-icon button-quiet"
      isPressed={privacy !== null}
      label={`${pathText(path)} is private`}
      tip={privacy === null ? "Public keys get this value" : "Public keys do not get this value"}
      denied={privacy === "inherited" ? inherited : isReadOnly ? deniedText("configurations:write") : null}
      onClick={toggle}
    >
      <Icon name={privacy === null ? "unlock" : "lock"} size={14} />
    </DeniableButton>
  )
}
