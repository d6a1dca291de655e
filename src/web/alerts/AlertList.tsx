import { useState } from "react"
import { Link } from "wouter"
import { useProject, useWhere } from "../shell/Project.tsx"
import { deniedText } from "../text/Denied.ts"
import { isFound } from "../text/Search.ts"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import { ListTable } from "../ui/ListTable.tsx"
import { Moment } from "../ui/Moment.tsx"
import { pageOfRows } from "../ui/PageOfRows.ts"
import { Pages } from "../ui/Pages.tsx"
import { SearchField } from "../ui/SearchField.tsx"
import { Empty, Failed, Skeleton } from "../ui/States.tsx"
import { rowsAtOnce, useSearchedList } from "../url/SearchedList.ts"
import { AlertForm } from "./AlertForm.tsx"
import { type Alert, useAlerts } from "./AlertQueries.ts"
import { conditionText, stateText } from "./AlertWords.ts"
import { useOnward } from "../url/useOnward.ts"

const ranks: Readonly<Record<Alert["state"], number>> = { fired: 0, broken: 1, new: 2, unclear: 3, fine: 4 }

/** Alerts of the environment, those that have fired first. */
export const AlertList = () => {
  const { applicationId, environment, may } = useProject()
  const onward = useOnward()
  const alerts = useAlerts(useWhere())
  const [isCreating, create] = useState(false)
  const home = `/p/${applicationId}/${environment.alias}/alerts`
  const denied = may("alerts:write") ? null : deniedText("alerts:write")
  const { search, page, onSearch, onPage } = useSearchedList()
  const found = (alerts.data ?? [])
    .filter(({ name, description, watch }) => isFound(search, name, description, conditionText(watch)))
    .toSorted((one, other) => ranks[one.state] - ranks[other.state])
  const shown = pageOfRows(found, page, rowsAtOnce)
  const add = (
    <DeniableButton denied={denied} look="button-primary" onClick={() => create(true)}>
      New alert
    </DeniableButton>
  )
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1>Alerts</h1>
          <p>What is watched in {environment.name}, and what is not as it should be.</p>
        </div>
        {add}
      </header>
      <section className="card" aria-label="Alerts">
        {alerts.data === undefined ? (
          alerts.error === null ? (
            <Skeleton />
          ) : (
            <Failed error={alerts.error} retry={() => void alerts.refetch()} />
          )
        ) : alerts.data.length === 0 ? (
          <Empty title="No alert yet" action={add}>
            An alert tells your chat when purchases fall, a step of a funnel breaks, markers stop to arrive, or an
            experiment harms what it must not.
          </Empty>
        ) : (
          <>
            <div className="toolbar">
              <SearchField label="Search alerts" value={search} onChange={onSearch} />
            </div>
            {found.length === 0 ? (
              <Empty title="No such alert">Try another word.</Empty>
            ) : (
              <ListTable
                label="List of alerts"
                rows={shown.rows}
                keyOf={({ id }) => id}
                isOver={({ isActive }) => !isActive}
                columns={[
                  {
                    name: "Name",
                    kind: "head",
                    render: ({ id, name, watch }) => (
                      <div className="cell-lines">
                        <Link href={`${home}/${id}`}>{name}</Link>
                        <small className="faint">{conditionText(watch)}</small>
                      </div>
                    )
                  },
                  {
                    name: "State",
                    render: (alert) => (
                      <span className={alert.state === "fired" || alert.state === "broken" ? "tag tag-warning" : "tag"}>
                        {stateText(alert)}
                      </span>
                    )
                  },
                  {
                    name: "Found",
                    render: ({ found, problem, incident }) => (
                      <div className="cell-lines">{problem ?? incident?.text ?? found?.text ?? "–"}</div>
                    )
                  },
                  { name: "Since", className: "faint", render: ({ since }) => <Moment at={since} /> }
                ]}
              />
            )}
            <Pages page={shown.page} pages={shown.pages} onPage={onPage} />
          </>
        )}
        <footer className="card-foot">
          <span>
            Webhooks that ask for alert.fired and alert.resolved are told.{" "}
            <Link href={`/p/${applicationId}/${environment.alias}/settings/webhooks`}>Webhooks</Link>
          </span>
        </footer>
      </section>
      {isCreating && (
        <AlertForm alert={null} onClose={() => create(false)} onSaved={({ id }) => onward(`${home}/${id}`)} />
      )}
    </div>
  )
}
