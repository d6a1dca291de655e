import { useState } from "react"
import type { Organization } from "../shell/Project.tsx"
import { Failed, Skeleton } from "../ui/States.tsx"
import { useTokens } from "./AccessQueries.ts"
import type { KeyDialog } from "./keys/KeyDialogs.tsx"
import { KeyDialogs } from "./keys/KeyDialogs.tsx"
import { useEnvironmentsOf } from "./keys/KeyScope.ts"
import { works } from "./keys/KeyState.ts"
import { KeyTable } from "./keys/KeyTable.tsx"
import { Section } from "./Section.tsx"
import { useRights } from "./useRights.ts"

/** Personal tokens: what a script may do in one's own name. */
export const Tokens = ({ organization }: { readonly organization: Organization }) => {
  const rights = useRights(organization)
  const environments = useEnvironmentsOf(organization, rights)
  const tokens = useTokens()
  const [open, setOpen] = useState<KeyDialog | null>(null)
  const own = tokens.data?.filter((token) => token.organizationId === organization.id && works(token)) ?? []
  const elsewhere = (tokens.data?.filter(works).length ?? 0) - own.length
  return (
    <Section
      title="Personal tokens"
      action={
        <button type="button" className="button" onClick={() => setOpen({ what: "mint" })}>
          New token
        </button>
      }
    >
      {tokens.data === undefined ? (
        tokens.error === null ? (
          <Skeleton height={96} />
        ) : (
          <Failed error={tokens.error} retry={() => void tokens.refetch()} />
        )
      ) : own.length === 0 ? (
        <p className="faint">
          You have none for {organization.name}. A script uses one to ask and change in your name.
        </p>
      ) : (
        <KeyTable
          title="Personal tokens"
          keys={own}
          organization={organization}
          environments={environments}
          of="person"
          deniedChange={null}
          deniedRotation={() => null}
          deniedRevocation={() => null}
          onChange={(key) => setOpen({ what: "change", key })}
          onRotate={(key) => setOpen({ what: "rotate", key })}
          onRevoke={(key) => setOpen({ what: "revoke", key })}
        />
      )}
      {elsewhere > 0 && <p className="faint">You have {elsewhere} more for your other organizations.</p>}
      {open !== null && (
        <KeyDialogs
          open={open}
          organization={organization}
          environments={environments}
          rights={rights}
          isPersonal
          onOpen={setOpen}
        />
      )}
    </Section>
  )
}
