import { useState } from "react"
import { keyPermissions } from "../../../domain/access/KeyPermissions.ts"
import { call } from "../../api/client.ts"
import type { Organization } from "../../shell/Project.tsx"
import { fieldText } from "../../text/Form.ts"
import { Sheet } from "../../ui/dialogs/Sheet.tsx"
import type { Key } from "../AccessQueries.ts"
import { useChange } from "../AccessQueries.ts"
import { SaveRow } from "../SaveRow.tsx"
import type { Rights } from "../useRights.ts"
import { KeyFields } from "./KeyFields.tsx"
import type { KeyDraft } from "./KeyScope.ts"
import { deniedKey, draftOf, missingIn, projectScopeOf, sameMembers, useEnvironmentsOf, within } from "./KeyScope.ts"

interface Props {
  readonly secretKey: Key
  readonly organization: Organization
  readonly rights: Rights
  readonly onClose: () => void
}

/** What a change of a key sends: the fields that were touched, so that what somebody else changes meanwhile stays. */
const changeOf = (key: Key, draft: KeyDraft, name: string) => {
  const [first, ...others] = draft.environmentIds
  const isElsewhere =
    draft.allProjects !== key.allProjects ||
    !sameMembers(draft.applicationIds, draft.allProjects ? [] : key.applicationIds)
  return {
    ...(name === key.name ? {} : { name }),
    ...(isElsewhere ? { projectScope: projectScopeOf(draft) } : {}),
    ...(first === undefined || sameMembers(draft.environmentIds, key.environmentIds)
      ? {}
      : { environmentIds: [first, ...others] as const }),
    ...(sameMembers(draft.permissions, [...keyPermissions(key)]) ? {} : { permissions: draft.permissions })
  }
}

/** Changes what a key or token is called, where it works and what it may do; its secret stays. */
export const ChangeKey = ({ secretKey, organization, rights, onClose }: Props) => {
  const environments = useEnvironmentsOf(organization, rights)
  const [draft, setDraft] = useState<KeyDraft>(() => draftOf(secretKey))
  const isPersonal = secretKey.type === "personal"
  const save = useChange(
    (form: FormData) => {
      const body = changeOf(secretKey, draft, fieldText(form, "name"))
      return isPersonal
        ? call("personalTokens.update", { path: { patId: secretKey.id }, body })
        : call("apiKeys.update", { path: { organizationId: organization.id, apiKeyId: secretKey.id }, body })
    },
    [isPersonal ? "tokens" : "keys"],
    onClose
  )
  const denied = missingIn(draft) ?? deniedKey(draft, rights)
  return (
    <Sheet title={`Change ${secretKey.name}`} onClose={onClose}>
      <form
        className="settings-form"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate(new FormData(event.currentTarget))
        }}
      >
        <p className="faint">
          Its secret stays: whoever uses it may do what is chosen here within a moment after it is saved.
        </p>
        <KeyFields
          organization={organization}
          environments={environments}
          rights={rights}
          draft={draft}
          name={secretKey.name}
          onChange={(next) => setDraft(within({ ...draft, ...next }, environments))}
        />
        {denied !== null && <p className="faint">{denied}</p>}
        <SaveRow
          error={save.error}
          isPending={save.isPending}
          isSaved={false}
          denied={null}
          isReady={denied === null}
        />
      </form>
    </Sheet>
  )
}
