import type { FormEvent } from "react"
import { useState } from "react"
import { dayStart } from "../../builder/Period.ts"
import { addDays, today } from "../../builder/Days.ts"
import { useProject } from "../../shell/Project.tsx"
import { Moment } from "../../ui/Moment.tsx"
import { RemoveButton } from "../../ui/RemoveButton.tsx"

interface Step {
  readonly at: string
  readonly percent: number
}

interface Props {
  readonly steps: ReadonlyArray<Step & { readonly state: "pending" | "applied" | "skipped" }>
  /** Why nothing can be changed. */
  readonly reason: string | undefined
  readonly isBusy: boolean
  readonly onChange: (steps: ReadonlyArray<Step>) => void
}

const stateWords = { pending: "planned", applied: "done", skipped: "passed over" } as const

/** A day and a percent; a step happens when the day begins. */
export const AddStep = ({
  isDisabled,
  reason,
  onAdd
}: {
  readonly isDisabled: boolean
  readonly reason: string | undefined
  readonly onAdd: (step: Step) => void
}) => {
  const { timezone } = useProject()
  const [day, setDay] = useState(() => addDays(today(timezone), 1))
  const [percent, setPercent] = useState("50")
  const number = Number(percent)
  const isComplete = day !== "" && percent.trim() !== "" && number >= 0 && number <= 100
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (isComplete) onAdd({ at: dayStart(day, timezone), percent: number })
  }
  return (
    <form className="row step-form" onSubmit={submit}>
      <input
        className="input"
        type="date"
        aria-label="Day of the step"
        value={day}
        min={addDays(today(timezone), 1)}
        disabled={isDisabled}
        onChange={({ currentTarget }) => setDay(currentTarget.value)}
      />
      <input
        className="input"
        type="number"
        min="0"
        max="100"
        step="any"
        aria-label="Percent from then on"
        value={percent}
        disabled={isDisabled}
        onChange={({ currentTarget }) => setPercent(currentTarget.value)}
      />
      %
      <button type="submit" className="button button-small" disabled={isDisabled || !isComplete} title={reason}>
        Plan a step
      </button>
    </form>
  )
}

/** The steps of the rollout in order, of which those that are still to come can be changed. */
export const StepEditor = ({ steps, reason, isBusy, onChange }: Props) => {
  const pending = steps.filter(({ state }) => state === "pending").map(({ at, percent }) => ({ at, percent }))
  const isDisabled = reason !== undefined || isBusy
  return (
    <div>
      <h3>Steps</h3>
      {steps.length === 0 ? (
        <p className="faint">No step is planned: the share stays as it is.</p>
      ) : (
        <ol className="timeline-list">
          {steps.map((step) => (
            <li key={step.at} className={`step-${step.state}`}>
              <Moment at={step.at} /> to {step.percent} % <span className="faint">{stateWords[step.state]}</span>
              {step.state === "pending" && !isDisabled && (
                <RemoveButton
                  label={`Remove the step to ${step.percent} %`}
                  onRemove={() => onChange(pending.filter(({ at }) => at !== step.at))}
                />
              )}
            </li>
          ))}
        </ol>
      )}
      <AddStep
        isDisabled={isDisabled}
        reason={reason}
        onAdd={(step) =>
          onChange(
            [...pending.filter(({ at }) => at !== step.at), step].toSorted(
              (left, right) => Date.parse(left.at) - Date.parse(right.at)
            )
          )
        }
      />
    </div>
  )
}
