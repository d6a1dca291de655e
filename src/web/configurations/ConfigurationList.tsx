import { useState } from "react"
import { Link, useLocation } from "wouter"
import { useProject, useWhere } from "../shell/Project.tsx"
import { deniedText } from "../text/Denied.ts"
import { Icon } from "../ui/Icon.tsx"
import { Moment } from "../ui/Moment.tsx"
import { SearchField } from "../ui/SearchField.tsx"
import { Empty, Failed, Skeleton } from "../ui/States.tsx"
import { useSearchText } from "../url/useSearchText.ts"
import { useConfigurations, useExperiments } from "./ConfigurationQueries.ts"
import { locksOn } from "./Locks.ts"
import { NewConfiguration } from "./NewConfiguration.tsx"
import { isFound } from "../text/Search.ts"

/** All configurations of the environment. */
export const ConfigurationList = () => {
  const { applicationId, environment, timezone, may } = useProject()
  const where = useWhere()
  const [, navigate] = useLocation()
  const [search, setSearch] = useSearchText()
  const [isCreating, create] = useState(false)
  const configurations = useConfigurations(where)
  const seesExperiments = may("experiments:read")
  const experiments = useExperiments(where, seesExperiments)
  const home = `/p/${applicationId}/${environment.alias}/configurations`
  const mayWrite = may("configurations:write")
  const addButton = (
    <button
      type="button"
      className="button button-primary"
      disabled={!mayWrite}
      title={mayWrite ? undefined : deniedText("configurations:write")}
      onClick={() => create(true)}
    >
      <Icon name="plus" size={14} />
      New configuration
    </button>
  )
  const found = (configurations.data ?? []).filter(({ name, alias }) => isFound(search, name, alias))
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1>Configurations</h1>
          <p>Values that the game fetches while it runs. A change is live as soon as it is published.</p>
        </div>
        {addButton}
      </header>
      {isCreating && (
        <NewConfiguration onClose={() => create(false)} onCreated={({ id }) => navigate(`${home}/${id}`)} />
      )}
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
              <SearchField label="Search configurations" value={search} onChange={setSearch} />
            </div>
            {found.length === 0 ? (
              <p className="faint">No configuration is called “{search}”.</p>
            ) : (
              <div className="table-box" role="region" aria-label="Configurations" tabIndex={0}>
                <table className="table">
                  <thead>
                    <tr>
                      <th scope="col">Name</th>
                      <th scope="col">Alias</th>
                      <th scope="col" className="number">
                        Version
                      </th>
                      <th scope="col">Changed</th>
                      <th scope="col">By</th>
                      <th scope="col">Held by</th>
                    </tr>
                  </thead>
                  <tbody>
                    {found.map(({ id, name, alias, version, isPrimary, updatedAt, updatedBy }) => {
                      const locks = locksOn(experiments.data ?? [], id)
                      return (
                        <tr key={id}>
                          <th scope="row" className="named">
                            <Link href={`${home}/${id}`}>{name}</Link>{" "}
                            {isPrimary && <span className="tag">Primary</span>}
                          </th>
                          <td className="named">
                            {alias === null ? <span className="faint">none</span> : <code>{alias}</code>}
                          </td>
                          <td className="number">{version}</td>
                          <td>
                            <Moment at={updatedAt} />
                          </td>
                          <td>{updatedBy?.email ?? <span className="faint">not known</span>}</td>
                          <td>
                            {!seesExperiments ? (
                              <span className="faint" title={deniedText("experiments:read")}>
                                you may not see it
                              </span>
                            ) : experiments.data === undefined ? (
                              <span className="faint">{experiments.isError ? "not known" : "…"}</span>
                            ) : locks.length === 0 ? (
                              <span className="faint">nothing</span>
                            ) : (
                              locks.map((lock) => lock.name).join(", ")
                            )}
                          </td>
                        </tr>
                      )
                    })}
                  </tbody>
                </table>
              </div>
            )}
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
