import { useState } from "react"
import { call } from "../../api/client.ts"
import type { Organization } from "../../shell/Project.tsx"
import { useProject } from "../../shell/Project.tsx"
import { fieldText } from "../../text/Form.ts"
import { Segmented } from "../../ui/Segmented.tsx"
import { Sheet } from "../../ui/dialogs/Sheet.tsx"
import type { Key } from "../AccessQueries.ts"
import { useChange } from "../AccessQueries.ts"
import { ExpiryField, expiryOf } from "../ExpiryField.tsx"
import { KeyFields } from "./KeyFields.tsx"
import type { KeyDraft } from "./KeyScope.ts"
import { fitting, missingIn, projectScopeOf, useEnvironmentsOf } from "./KeyScope.ts"
import { SaveRow } from "../SaveRow.tsx"
import type { Rights } from "../useRights.ts"

const kinds = [
  ["public", "Public"],
  ["secret", "Secret"]
] as const

const kindWords: Readonly<Record<Key["type"], string>> = {
  public: "Goes into the game: every player can read it out of there, so it may do little.",
  secret:
    "For servers and scripts, which nobody else can look into. It is an owner of its own: it stays when people leave.",
  personal: "Acts for you: it never may more than you, and ends when you leave."
}

interface Props {
  readonly organization: Organization
  readonly rights: Rights
  readonly isPersonal: boolean
  readonly onMinted: (key: Key & { readonly token: string }) => void
  readonly onClose: () => void
}

/** Asks what a new key is for. */
export const MintSheet = ({ organization, rights, isPersonal, onMinted, onClose }: Props) => {
  const { applicationId, environments: own } = useProject()
  const environments = useEnvironmentsOf(organization, rights)
  const [draft, setDraft] = useState<KeyDraft>(() => ({
    type: isPersonal ? "personal" : "public",
    allProjects: false,
    applicationIds: [applicationId],
    environmentIds: own.map(({ id }) => id),
    permissions: isPersonal
      ? []
      : (["sdk:ingest", "sdk:read"] as const).filter((each) => rights.excess([each], [applicationId]).length === 0)
  }))
  const change = (next: Partial<KeyDraft>) => setDraft(fitting({ ...draft, ...next }, rights, environments))
  const [first, ...others] = draft.environmentIds
  const [project] = draft.applicationIds
  const mint = useChange(
    (form: FormData) => {
      if (first === undefined) return Promise.reject(new Error("Choose an environment."))
      if (project === undefined && !draft.allProjects) return Promise.reject(new Error("Choose a project."))
      const common = {
        name: fieldText(form, "name"),
        environmentIds: [first, ...others] as const,
        permissions: draft.permissions,
        expiresIn: expiryOf(form)
      }
      const projectScope = projectScopeOf(draft)
      if (draft.type === "personal") {
        return call("personalTokens.create", { body: { ...common, organizationId: organization.id, projectScope } })
      }
      return call("apiKeys.create", {
        path: { organizationId: organization.id },
        body:
          draft.type === "public"
            ? { type: "public", applicationId: project ?? applicationId, ...common }
            : { type: "secret", projectScope, ...common }
      })
    },
    [isPersonal ? "tokens" : "keys"],
    onMinted
  )
  const missing = missingIn(draft)
  return (
    <Sheet title={isPersonal ? "New personal token" : "New key"} onClose={onClose}>
      <form
        className="settings-form"
        onSubmit={(event) => {
          event.preventDefault()
          mint.mutate(new FormData(event.currentTarget))
        }}
      >
        {!isPersonal && (
          <Segmented
            label="Kind"
            value={draft.type === "secret" ? "secret" : "public"}
            choices={kinds}
            onChoose={(type) =>
              change({
                type,
                allProjects: false,
                applicationIds: type === "public" ? [applicationId] : draft.applicationIds
              })
            }
          />
        )}
        <p className="faint">{kindWords[draft.type]}</p>
        <KeyFields
          organization={organization}
          environments={environments}
          rights={rights}
          draft={draft}
          onChange={change}
        />
        <ExpiryField />
        {missing !== null && <p className="faint">{missing}</p>}
        <SaveRow
          error={mint.error}
          isPending={mint.isPending}
          isSaved={false}
          denied={null}
          isReady={missing === null}
          words={isPersonal ? "Make the token" : "Make the key"}
        />
      </form>
    </Sheet>
  )
}
