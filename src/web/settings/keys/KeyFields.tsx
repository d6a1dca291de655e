import { impossible } from "../../../domain/access/KeyPermissions.ts"
import type { Environment, Organization } from "../../shell/Project.tsx"
import { PermissionPicker } from "../PermissionPicker.tsx"
import { ScopeFields } from "../ScopeFields.tsx"
import type { Rights } from "../useRights.ts"
import type { KeyDraft } from "./KeyScope.ts"
import { deniedOnKey } from "./KeyScope.ts"

interface Props {
  readonly organization: Organization
  readonly environments: ReadonlyArray<Environment>
  readonly rights: Rights
  readonly draft: KeyDraft
  readonly name?: string
  readonly onChange: (change: Partial<KeyDraft>) => void
}

/** Names as people give them, by the kind of the key. */
const examples: Readonly<Record<KeyDraft["type"], string>> = {
  public: "Game client",
  secret: "Game server",
  personal: "My scripts"
}

/** What a key is called, where it works and what it may do. */
export const KeyFields = ({ organization, environments, rights, draft, name, onChange }: Props) => (
  <>
    <label className="field">
      Name
      <input
        name="name"
        required
        minLength={3}
        maxLength={100}
        autoComplete="off"
        placeholder={examples[draft.type]}
        defaultValue={name}
      />
    </label>
    <ScopeFields organization={organization} environments={environments} draft={draft} onChange={onChange} />
    <PermissionPicker
      chosen={draft.permissions}
      isPossible={(permission) => impossible(draft.type, [permission]).length === 0}
      denied={(permission) => deniedOnKey(draft, rights, permission)}
      onChange={(permissions) => onChange({ permissions })}
    />
  </>
)
