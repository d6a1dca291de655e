import { useState } from "react"
import { dayMillis, hourMillis } from "../../domain/Durations.ts"
import { UnansweredPage } from "../shell/UnansweredPage.tsx"
import { useProject, useWhere } from "../shell/Project.tsx"
import { deniedText } from "../text/Denied.ts"
import { ConfirmDialog } from "../ui/dialogs/ConfirmDialog.tsx"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import { Moment } from "../ui/Moment.tsx"
import { Skeleton } from "../ui/States.tsx"
import { Acknowledge } from "./Acknowledge.tsx"
import { AlertChart } from "./AlertChart.tsx"
import { AlertForm } from "./AlertForm.tsx"
import { type Alert, muteAlert, removeAlert, useAlert, useAlertChange, usePreview } from "./AlertQueries.ts"
import { conditionText, stateText } from "./AlertWords.ts"
import { Incidents } from "./Incidents.tsx"
import { useOnward } from "../url/useOnward.ts"

const mutes: ReadonlyArray<readonly [millis: number, words: string]> = [
  [hourMillis, "for an hour"],
  [dayMillis, "for a day"],
  [7 * dayMillis, "for a week"]
]

const Now = ({ alert }: { readonly alert: Alert }) => {
  const { watch, delayMinutes, problem } = alert
  const preview = usePreview(useWhere(), { watch, delayMinutes })
  if (problem !== null) return <p className="form-error">{problem}</p>
  if (preview.error !== null) return <p className="faint">{preview.error.message}</p>
  return preview.data === undefined ? <Skeleton height={220} /> : <AlertChart preview={preview.data} watch={watch} />
}

/** One alert: what it sees, what it has found, and who looks after it. */
export const AlertPage = ({ alertId }: { readonly alertId: string }) => {
  const { applicationId, environment, may } = useProject()
  const where = useWhere()
  const onward = useOnward()
  const alert = useAlert(where, alertId)
  const [open, setOpen] = useState<"form" | "remove" | "acknowledge" | null>(null)
  const close = () => setOpen(null)
  const mute = useAlertChange((until: string | null) => muteAlert(where, alertId, until))
  const remove = useAlertChange(
    () => removeAlert(where, alertId),
    () => onward(`/p/${applicationId}/${environment.alias}/alerts`)
  )
  if (alert.data === undefined) {
    return <UnansweredPage error={alert.error} retry={() => void alert.refetch()} />
  }
  const { name, description, watch, incident, mutedUntil, nextLookAt } = alert.data
  const denied = may("alerts:write") ? null : deniedText("alerts:write")
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1>{name}</h1>
          <p>{conditionText(watch)}</p>
        </div>
        <div className="row">
          <DeniableButton denied={denied} look="" onClick={() => setOpen("form")}>
            Change
          </DeniableButton>
          <DeniableButton denied={denied} look="" onClick={() => setOpen("remove")}>
            Remove
          </DeniableButton>
        </div>
      </header>
      <section className="card" aria-label="Now">
        <p>
          <span className={alert.data.state === "fired" ? "tag tag-warning" : "tag"}>{stateText(alert.data)}</span>{" "}
          <span className="faint">
            since <Moment at={alert.data.since} />
            {nextLookAt !== null && (
              <>
                ; looked at again <Moment at={nextLookAt} />
              </>
            )}
            {mutedUntil !== null && (
              <>
                ; muted until <Moment at={mutedUntil} />
              </>
            )}
          </span>
        </p>
        {incident !== null && (
          <p>
            {incident.text}
            {incident.note !== null && <em> {incident.note}</em>}
          </p>
        )}
        {description !== null && <p className="faint">To do: {description}</p>}
        <div className="toolbar">
          <DeniableButton
            denied={denied ?? (incident === null ? "It has not fired." : null)}
            look="button-small"
            onClick={() => setOpen("acknowledge")}
          >
            I look after it
          </DeniableButton>
          {mutedUntil === null ? (
            mutes.map(([millis, words]) => (
              <DeniableButton
                key={words}
                denied={denied}
                look="button-small"
                isBusy={mute.isPending}
                onClick={() => mute.mutate(new Date(Date.now() + millis).toISOString())}
              >
                Mute {words}
              </DeniableButton>
            ))
          ) : (
            <DeniableButton
              denied={denied}
              look="button-small"
              isBusy={mute.isPending}
              onClick={() => mute.mutate(null)}
            >
              Unmute
            </DeniableButton>
          )}
        </div>
        {mute.error !== null && <p className="form-error">{mute.error.message}</p>}
      </section>
      <section className="card" aria-label="What it sees">
        <Now alert={alert.data} />
      </section>
      <Incidents alertId={alertId} state={`${alert.data.state} ${incident?.acknowledgedAt ?? ""}`} />
      {open === "form" && <AlertForm alert={alert.data} onSaved={close} onClose={close} />}
      {open === "acknowledge" && <Acknowledge alertId={alertId} onClose={close} />}
      {open === "remove" && (
        <ConfirmDialog
          title={`Remove ${name}`}
          action="Remove the alert"
          error={remove.error}
          isPending={remove.isPending}
          onConfirm={() => remove.mutate(undefined)}
          onClose={close}
        >
          <p>It watches nothing any more, and what it has found is forgotten.</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
