import { call } from "../../api/client.ts"
import type { Environment, Organization } from "../../shell/Project.tsx"
import { useProject } from "../../shell/Project.tsx"
import { ConfirmDialog } from "../../ui/dialogs/ConfirmDialog.tsx"
import type { Key } from "../AccessQueries.ts"
import { useChange } from "../AccessQueries.ts"
import { ChangeKey } from "./ChangeKey.tsx"
import { keySnippet } from "./KeySnippet.ts"
import { overlapEnd } from "./KeyState.ts"
import { MintSheet } from "./MintSheet.tsx"
import { RotateDialog } from "./RotateDialog.tsx"
import { Secret } from "../Secret.tsx"
import type { Rights } from "../useRights.ts"
import { Moment } from "../../ui/Moment.tsx"

type Minted = Key & { readonly token: string }

export type KeyDialog =
  | { readonly what: "mint" }
  | { readonly what: "change" | "rotate" | "revoke"; readonly key: Key }
  | { readonly what: "secret"; readonly key: Minted }

interface Props {
  readonly open: KeyDialog
  readonly organization: Organization
  readonly environments: ReadonlyArray<Environment>
  readonly rights: Rights
  readonly isPersonal: boolean
  readonly onOpen: (open: KeyDialog | null) => void
}

/** What opens over a list of keys or tokens. */
export const KeyDialogs = ({ open, organization, environments, rights, isPersonal, onOpen }: Props) => {
  const { applicationId, environmentId } = useProject()
  const close = () => onOpen(null)
  const show = (key: Minted) => onOpen({ what: "secret", key })
  const revoke = useChange(
    (key: Key) =>
      isPersonal
        ? call("personalTokens.deactivate", { path: { patId: key.id } })
        : call("apiKeys.deactivate", { path: { organizationId: key.organizationId, apiKeyId: key.id } }),
    [isPersonal ? "tokens" : "keys"],
    close
  )
  switch (open.what) {
    case "mint":
      return (
        <MintSheet
          organization={organization}
          rights={rights}
          isPersonal={isPersonal}
          onMinted={show}
          onClose={close}
        />
      )
    case "change":
      return <ChangeKey secretKey={open.key} organization={organization} rights={rights} onClose={close} />
    case "rotate":
      return <RotateDialog secretKey={open.key} onRotated={show} onClose={close} />
    case "revoke":
      return (
        <ConfirmDialog
          title={`Revoke ${open.key.name}?`}
          action={isPersonal ? "Revoke the token" : "Revoke the key"}
          error={revoke.error}
          isPending={revoke.isPending}
          onConfirm={() => revoke.mutate(open.key)}
          onClose={close}
        >
          <p>
            Whoever uses it is refused from now on.{" "}
            {open.key.lastUsedAt === null ? (
              "It was never used."
            ) : (
              <>
                It was last used <Moment at={open.key.lastUsedAt} />.
              </>
            )}{" "}
            There is no way back.
          </p>
        </ConfirmDialog>
      )
    case "secret": {
      const { key } = open
      const environment = environments.find(({ id }) => key.environmentIds.includes(id))
      const snippet = keySnippet(
        key.type,
        { server: window.location.origin, key: key.token, environment: environment?.alias ?? "production" },
        {
          applicationId: environment?.applicationId ?? applicationId,
          environmentId: environment?.id ?? environmentId
        }
      )
      const kept = overlapEnd(key)
      return (
        <Secret title={key.name} secret={key.token} copyLabel="Copy the secret" onClose={close}>
          {kept !== null && (
            <p>
              The old secret works until <Moment at={kept} />.
            </p>
          )}
          <p>To try it:</p>
          <pre className="secret-snippet" tabIndex={0} aria-label="How to use it">
            <code>{snippet}</code>
          </pre>
        </Secret>
      )
    }
  }
}
