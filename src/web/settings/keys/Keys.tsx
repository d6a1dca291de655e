import { useState } from "react"
import { keyPermissions } from "../../../domain/access/KeyPermissions.ts"
import type { Organization } from "../../shell/Project.tsx"
import { useProject } from "../../shell/Project.tsx"
import { deniedText } from "../../text/Denied.ts"
import { isFound } from "../../text/Search.ts"
import { DeniableButton } from "../../ui/DeniableButton.tsx"
import { pageOfRows } from "../../ui/PageOfRows.ts"
import { Pages } from "../../ui/Pages.tsx"
import { SearchField } from "../../ui/SearchField.tsx"
import { Empty, Failed, Skeleton } from "../../ui/States.tsx"
import { rowsAtOnce, useSearchedList } from "../../url/SearchedList.ts"
import type { Key } from "../AccessQueries.ts"
import { useKeys } from "../AccessQueries.ts"
import type { KeyDialog } from "./KeyDialogs.tsx"
import { KeyDialogs } from "./KeyDialogs.tsx"
import { projectsOf, useEnvironmentsOf } from "./KeyScope.ts"
import { works } from "./KeyState.ts"
import { KeyTable } from "./KeyTable.tsx"
import { SettingsPage } from "../Section.tsx"
import { useRights } from "../useRights.ts"

/** Public keys for games and secret keys for servers. */
export const Keys = ({ organization }: { readonly organization: Organization }) => {
  const { timezone } = useProject()
  const rights = useRights(organization)
  const environments = useEnvironmentsOf(organization, rights)
  const keys = useKeys(organization.id)
  const [open, setOpen] = useState<KeyDialog | null>(null)
  const [showsOver, setShowsOver] = useState(false)
  const denied = rights.denied("api_keys:write")
  const over = keys.data?.filter((key) => !works(key)).length ?? 0
  const { search, page, onSearch, onPage } = useSearchedList()
  const listed = keys.data?.filter((key) => showsOver || works(key)) ?? []
  const shown = pageOfRows(
    listed.filter(({ name, lastFour }) => isFound(search, name, lastFour)),
    page,
    rowsAtOnce
  )
  const add = (
    <DeniableButton denied={denied} look="button-primary" onClick={() => setOpen({ what: "mint" })}>
      New key
    </DeniableButton>
  )
  const deniedRotation = (key: Key): string | null => {
    const lacked = rights.excess([...keyPermissions(key)], projectsOf(key))
    return denied ?? (lacked.length === 0 ? null : deniedText(...lacked))
  }
  return (
    <SettingsPage
      title="Keys"
      lead={`How games and servers reach ${organization.name}. Only a part of each secret is kept.`}
      action={add}
    >
      {denied !== null && <p className="faint">{denied}</p>}
      <section className="card" aria-label="Keys" aria-busy={keys.isFetching}>
        {keys.data === undefined ? (
          keys.error === null ? (
            <Skeleton />
          ) : (
            <Failed error={keys.error} retry={() => void keys.refetch()} />
          )
        ) : keys.data.length === 0 ? (
          <Empty title="No key yet">A game needs a public key to send markers and to fetch configurations.</Empty>
        ) : (
          <>
            <div className="toolbar">
              <SearchField label="Search keys" value={search} onChange={onSearch} />
              {over > 0 && (
                <label className="check">
                  <input
                    type="checkbox"
                    checked={showsOver}
                    onChange={({ currentTarget }) => setShowsOver(currentTarget.checked)}
                  />
                  Also the {over} revoked or ended
                </label>
              )}
            </div>
            {listed.length === 0 ? (
              <p className="faint">None works any more.</p>
            ) : shown.rows.length === 0 ? (
              <p className="faint">No key is called “{search}”, or ends with it.</p>
            ) : (
              <KeyTable
                title="Keys"
                keys={shown.rows}
                organization={organization}
                environments={environments}
                of="project"
                deniedChange={denied}
                deniedRotation={deniedRotation}
                deniedRevocation={() => denied}
                onChange={(key) => setOpen({ what: "change", key })}
                onRotate={(key) => setOpen({ what: "rotate", key })}
                onRevoke={(key) => setOpen({ what: "revoke", key })}
              />
            )}
            <Pages page={shown.page} pages={shown.pages} onPage={onPage} />
            <footer className="card-foot">
              <span>The use of a key is noted once a minute.</span>
              <span>Times are {timezone}.</span>
            </footer>
          </>
        )}
      </section>
      {open !== null && (
        <KeyDialogs
          open={open}
          organization={organization}
          environments={environments}
          rights={rights}
          isPersonal={false}
          onOpen={setOpen}
        />
      )}
    </SettingsPage>
  )
}
