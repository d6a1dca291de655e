import { useState } from "react"
import { Link, useLocation } from "wouter"
import { useProject, useWhere } from "../shell/Project.tsx"
import { deniedText } from "../text/Denied.ts"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import { ListTable } from "../ui/ListTable.tsx"
import { Moment } from "../ui/Moment.tsx"
import { Empty, Failed, Skeleton } from "../ui/States.tsx"
import { AlertForm } from "./AlertForm.tsx"
import { type Alert, useAlerts } from "./AlertQueries.ts"
import { conditionText, stateText } from "./AlertWords.ts"

const ranks: Readonly<Record<Alert["state"], number>> = { fired: 0, broken: 1, new: 2, unclear: 3, fine: 4 }

/** Alerts of the environment, those that have fired first. */
export const AlertList = () => {
  const { applicationId, environment, may } = useProject()
  const [, navigate] = useLocation()
  const alerts = useAlerts(useWhere())
  const [isCreating, create] = useState(false)
  const home = `/p/${applicationId}/${environment.alias}/alerts`
  const denied = may("alerts:write") ? null : deniedText("alerts:write")
  const rows = (alerts.data ?? []).toSorted((one, other) => ranks[one.state] - ranks[other.state])
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
        ) : rows.length === 0 ? (
          <Empty title="No alert yet" action={add}>
            An alert tells your chat when purchases fall, a step of a funnel breaks, markers stop to arrive, or an
            experiment harms what it must not.
          </Empty>
        ) : (
          <ListTable
            label="List of alerts"
            rows={rows}
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
        <footer className="card-foot">
          <span>
            Webhooks that ask for alert.fired and alert.resolved are told.{" "}
            <Link href={`/p/${applicationId}/${environment.alias}/settings/webhooks`}>Webhooks</Link>
          </span>
        </footer>
      </section>
      {isCreating && (
        <AlertForm alert={null} onClose={() => create(false)} onSaved={({ id }) => navigate(`${home}/${id}`)} />
      )}
    </div>
  )
}
