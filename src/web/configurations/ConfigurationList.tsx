import type { ReactNode } from "react"
import { useState } from "react"
import { Link } from "wouter"
import { useProject, useWhere } from "../shell/Project.tsx"
import { deniedText } from "../text/Denied.ts"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import { Icon } from "../ui/Icon.tsx"
import { ListTable } from "../ui/ListTable.tsx"
import { Moment } from "../ui/Moment.tsx"
import { pageOfRows } from "../ui/PageOfRows.ts"
import { Pages } from "../ui/Pages.tsx"
import { SearchField } from "../ui/SearchField.tsx"
import { Empty, Failed, Skeleton } from "../ui/States.tsx"
import { rowsAtOnce, useSearchedList } from "../url/SearchedList.ts"
import { useConfigurations, useExperiments } from "./ConfigurationQueries.ts"
import { locksOn } from "./Locks.ts"
import { NewConfiguration } from "./NewConfiguration.tsx"
import { isFound } from "../text/Search.ts"
import { useOnward } from "../url/useOnward.ts"

/** All configurations of the environment. */
export const ConfigurationList = () => {
  const { applicationId, environment, timezone, may } = useProject()
  const where = useWhere()
  const onward = useOnward()
  const { search, page, onSearch, onPage } = useSearchedList()
  const [isCreating, create] = useState(false)
  const configurations = useConfigurations(where)
  const seesExperiments = may("experiments:read")
  const experiments = useExperiments(where, seesExperiments)
  const home = `/p/${applicationId}/${environment.alias}/configurations`
  const mayWrite = may("configurations:write")
  const addButton = (
    <DeniableButton
      denied={mayWrite ? null : deniedText("configurations:write")}
      look="button-primary"
      onClick={() => create(true)}
    >
      <Icon name="plus" size={14} />
      New configuration
    </DeniableButton>
  )
  const heldBy = (id: number): ReactNode => {
    if (!seesExperiments) {
      return (
        <span className="faint" title={deniedText("experiments:read")}>
          you may not see it
        </span>
      )
    }
    if (experiments.data === undefined) {
      return <span className="faint">{experiments.isError ? "not known" : "…"}</span>
    }
    const locks = locksOn(experiments.data, id)
    return locks.length === 0 ? <span className="faint">nothing</span> : locks.map(({ name }) => name).join(", ")
  }
  const found = (configurations.data ?? []).filter(({ name, alias }) => isFound(search, name, alias))
  const shown = pageOfRows(found, page, rowsAtOnce)
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1>Configurations</h1>
          <p>Values that the game fetches while it runs. A change is live as soon as it is published.</p>
        </div>
        {addButton}
      </header>
      {isCreating && <NewConfiguration onClose={() => create(false)} onCreated={({ id }) => onward(`${home}/${id}`)} />}
      <section className="card" aria-label="Configurations" aria-busy={configurations.isFetching}>
        {configurations.data === undefined ? (
          configurations.error === null ? (
            <Skeleton />
          ) : (
            <Failed error={configurations.error} retry={() => void configurations.refetch()} />
          )
        ) : configurations.data.length === 0 ? (
          <Empty title={`${environment.name} has no configuration`} action={addButton}>
            A configuration is a document of prices, drop rates and switches. Games fetch it and get changes without an
            update; experiments give groups of players other values.
          </Empty>
        ) : (
          <>
            <div className="toolbar">
              <SearchField label="Search configurations" value={search} onChange={onSearch} />
            </div>
            {found.length === 0 ? (
              <p className="faint">No configuration is called “{search}”.</p>
            ) : (
              <ListTable
                label="List of configurations"
                rows={shown.rows}
                keyOf={({ id }) => id}
                columns={[
                  {
                    name: "Name",
                    kind: "head",
                    render: ({ id, name, isPrimary }) => (
                      <>
                        <Link href={`${home}/${id}`}>{name}</Link> {isPrimary && <span className="tag">Primary</span>}
                      </>
                    )
                  },
                  {
                    name: "Alias",
                    className: "named",
                    render: ({ alias }) => (alias === null ? <span className="faint">none</span> : <code>{alias}</code>)
                  },
                  { name: "Version", kind: "number", render: ({ version }) => version },
                  { name: "Changed", render: ({ updatedAt }) => <Moment at={updatedAt} /> },
                  {
                    name: "By",
                    className: "narrow",
                    render: ({ updatedBy }) => updatedBy?.email ?? <span className="faint">not known</span>
                  },
                  { name: "Held by", className: "narrow", render: ({ id }) => heldBy(id) }
                ]}
              />
            )}
            <Pages page={shown.page} pages={shown.pages} onPage={onPage} />
            <footer className="card-foot">
              <span>Games that name no configuration get the primary one.</span>
              <span>Times are {timezone}.</span>
            </footer>
          </>
        )}
      </section>
    </div>
  )
}
