import { useRef, useState } from "react"
import { isOutdated } from "../api/Failure.ts"
import { useWhere } from "../shell/Project.tsx"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import { ChangedMeanwhile } from "../ui/kept/ChangedMeanwhile.tsx"
import { FormDialog } from "../ui/dialogs/FormDialog.tsx"
import { FormDialogEnd } from "../ui/dialogs/FormDialogEnd.tsx"
import { AlertChart } from "./AlertChart.tsx"
import { bodyOf, type AlertDraft, draftOf } from "./AlertDraft.ts"
import { type Alert, type AlertBody, createAlert, updateAlert, useAlertChange, usePreview } from "./AlertQueries.ts"
import { kinds } from "./AlertWords.ts"
import { NumberField } from "./ConditionFields.tsx"
import { WatchFields } from "./WatchFields.tsx"

interface Props {
  /** The alert that is changed; null: a new one. */
  readonly alert: Alert | null
  readonly onSaved: (alert: Alert) => void
  readonly onClose: () => void
}

interface Asked {
  readonly body: AlertBody
  /** When the alert was changed last before the form was opened; null writes over whatever is there. */
  readonly basedOn: string | null
}

/** What is missing before the alert can look at anything; null where nothing is. */
const lackOf = ({ kind, queryId }: AlertDraft): string | null =>
  (kind !== "query" && kind !== "funnelStep") || queryId !== "" ? null : "Choose the saved question that it watches."

/** What an alert watches, and what it would have found. */
export const AlertForm = ({ alert, onSaved, onClose }: Props) => {
  const where = useWhere()
  const fields = useRef<HTMLDivElement>(null)
  const [draft, setDraft] = useState(draftOf(alert?.watch ?? null))
  const [asked, setAsked] = useState<AlertBody | null>(null)
  // The page asks for the alert again while the form is open: what is changed is what was there when it was opened.
  const [begun] = useState(alert)
  const change = useAlertChange(
    ({ body, basedOn }: Asked) =>
      alert === null
        ? createAlert(where, body)
        : updateAlert(where, alert.id, basedOn === null ? body : { ...body, basedOn }),
    onSaved
  )
  const preview = usePreview(
    where,
    asked === null ? null : { watch: asked.watch, delayMinutes: asked.delayMinutes ?? 15 }
  )
  const show = () => {
    const form = fields.current?.closest("form") ?? null
    // It may have no name yet, but what it would have found depends on every number.
    const numbers = [...(form?.querySelectorAll<HTMLInputElement>("input[type=number]") ?? [])]
    if (form !== null && numbers.every((field) => field.reportValidity())) setAsked(bodyOf(new FormData(form), draft))
  }
  return (
    <FormDialog
      title={alert === null ? "New alert" : `Change ${alert.name}`}
      isWide
      onClose={onClose}
      onSubmit={(form) => change.mutate({ body: bodyOf(form, draft), basedOn: begun?.updatedAt ?? null })}
    >
      <div ref={fields} className="alert-fields">
        <label className="field">
          Name
          <input
            name="name"
            required
            maxLength={100}
            autoComplete="off"
            placeholder="Fewer purchases"
            defaultValue={begun?.name}
          />
        </label>
        <label className="field">
          It watches
          <select
            value={draft.kind}
            onChange={({ currentTarget }) => {
              const kind = kinds.find(([each]) => each === currentTarget.value)?.[0] ?? "query"
              setDraft({ ...draft, kind, queryId: "" })
              setAsked(null)
            }}
          >
            {kinds.map(([kind, words]) => (
              <option key={kind} value={kind}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <WatchFields watch={begun?.watch ?? null} draft={draft} onChange={setDraft} />
        <NumberField
          label="Minutes to wait for late markers"
          name="delayMinutes"
          value={begun?.delayMinutes ?? 15}
          min={0}
          max={1440}
        />
        <label className="field">
          What to do when it fires
          <input name="description" maxLength={255} autoComplete="off" defaultValue={begun?.description ?? ""} />
        </label>
        <label className="check">
          <input type="checkbox" name="isActive" defaultChecked={begun?.isActive ?? true} />
          Switched on
        </label>
      </div>
      <p>
        <DeniableButton look="button-small" denied={lackOf(draft)} isBusy={preview.isFetching} onClick={show}>
          Show what it would have found
        </DeniableButton>
      </p>
      {preview.error !== null && (
        <p className="form-error" role="alert">
          {preview.error.message}
        </p>
      )}
      {asked !== null && preview.data !== undefined && <AlertChart preview={preview.data} watch={asked.watch} />}
      {isOutdated(change.error) && (
        <ChangedMeanwhile
          what="this alert"
          isBusy={change.isPending}
          onTheirs={onClose}
          onMine={() => change.variables !== undefined && change.mutate({ ...change.variables, basedOn: null })}
        />
      )}
      <FormDialogEnd
        error={isOutdated(change.error) ? null : change.error}
        submit={alert === null ? "Make the alert" : "Save"}
        lacks={lackOf(draft)}
        isDisabled={change.isPending}
        onClose={onClose}
      />
    </FormDialog>
  )
}
