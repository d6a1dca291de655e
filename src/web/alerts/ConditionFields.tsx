import { Fragment } from "react"
import type { AlertWatch } from "./AlertQueries.ts"
import { type AlertDraft, limitShown } from "./AlertDraft.ts"

interface NumberProps {
  readonly label: string
  readonly name: string
  readonly value: number | string
  readonly min?: number
  readonly max?: number
  readonly step?: string
  readonly help?: string
  /** Whether it may be left empty, which says that there is none. */
  readonly isOptional?: boolean
}

export const NumberField = ({ label, name, value, min, max, step = "1", help, isOptional = false }: NumberProps) => (
  <label className="field">
    {label}
    <input type="number" name={name} required={!isOptional} defaultValue={value} min={min} max={max} step={step} />
    {help !== undefined && <small>{help}</small>}
  </label>
)

interface Props {
  readonly watch: AlertWatch | null
  readonly draft: AlertDraft
  readonly onChange: (draft: AlertDraft) => void
}

/** When a window of a question or a funnel is not as it should be. */
export const ConditionFields = ({ watch, draft, onChange }: Props) => {
  const known = watch !== null && "condition" in watch ? watch : null
  const change = known?.condition.kind === "change" ? known.condition : null
  const threshold = known?.condition.kind === "threshold" ? known.condition : null
  const factor = draft.kind === "funnelStep" ? 100 : 1
  const unit = factor === 100 ? " (percent)" : ""
  const limit = (value: number | null | undefined) => limitShown(value, factor)
  return (
    <>
      <label className="field">
        Judged
        <select name="every" defaultValue={known?.every ?? "hour"}>
          <option value="hour">every hour</option>
          <option value="day">every day</option>
        </select>
      </label>
      <label className="field">
        It fires when the value
        <select
          value={draft.condition}
          onChange={({ currentTarget }) =>
            onChange({ ...draft, condition: currentTarget.value === "threshold" ? "threshold" : "change" })
          }
        >
          <option value="change">changes against past weeks</option>
          <option value="threshold">passes a limit</option>
        </select>
      </label>
      {draft.condition === "change" ? (
        <Fragment key="change">
          <label className="field">
            Direction
            <select name="direction" defaultValue={change?.direction ?? "drop"}>
              <option value="drop">falls</option>
              <option value="rise">rises</option>
              <option value="either">falls or rises</option>
            </select>
          </label>
          <NumberField
            label="By at least (percent)"
            name="percent"
            value={change?.percent ?? 10}
            min={1}
            max={1000}
            step="any"
          />
          <NumberField
            label="Against the same time of so many weeks"
            name="weeks"
            value={change?.weeks ?? 4}
            min={2}
            max={8}
          />
        </Fragment>
      ) : (
        <Fragment key="threshold">
          <NumberField label={`Above${unit}`} name="above" value={limit(threshold?.above)} step="any" isOptional />
          <NumberField label={`Below${unit}`} name="below" value={limit(threshold?.below)} step="any" isOptional />
        </Fragment>
      )}
      <NumberField
        label="At least so many"
        name="minimumSample"
        value={known?.condition.minimumSample ?? 100}
        min={0}
        help="Of less nothing is said: of a count that is less expected, of a share of fewer who enter."
      />
      <NumberField
        label="False at most once in so many weeks"
        name="falseOnceInWeeks"
        value={known?.condition.falseOnceInWeeks ?? 13}
        min={1}
        max={520}
      />
    </>
  )
}
