import type { FormEvent } from "react"
import { useRef } from "react"
import { Segmented } from "../ui/Segmented.tsx"
import type { Period } from "./Period.ts"
import { periodOf, periodText, periodWords } from "./Period.ts"

const presets: ReadonlyArray<readonly [string, string]> = [
  ["24h", "24 h"],
  ["7d", "7 d"],
  ["14d", "14 d"],
  ["30d", "30 d"],
  ["90d", "90 d"]
]

interface Props {
  readonly period: Period
  readonly onChange: (period: Period) => void
}

/** Presets, and two days in a small form of their own. */
export const PeriodPicker = ({ period, onChange }: Props) => {
  const details = useRef<HTMLDetailsElement>(null)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const chosen = periodOf(`${String(form.get("from"))}..${String(form.get("to"))}`)
    if (chosen === null) return
    details.current?.removeAttribute("open")
    onChange(chosen)
  }
  const isPreset = presets.some(([text]) => text === periodText(period))
  return (
    <div className="period">
      <Segmented
        label="Period"
        value={periodText(period)}
        choices={presets}
        onChoose={(text) => onChange(periodOf(text) ?? period)}
      />
      <details className="menu menu-below" ref={details}>
        <summary>{isPreset ? "Custom …" : periodWords(period)}</summary>
        <form className="menu-body period-form" onSubmit={submit}>
          <label className="field">
            From
            <input type="date" name="from" required defaultValue={period.kind === "dates" ? period.from : ""} />
          </label>
          <label className="field">
            To, this day included
            <input type="date" name="to" required defaultValue={period.kind === "dates" ? period.to : ""} />
          </label>
          <button type="submit" className="button button-primary">
            Show
          </button>
        </form>
      </details>
    </div>
  )
}
