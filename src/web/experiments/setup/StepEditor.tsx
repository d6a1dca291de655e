import type { FormEvent } from "react"
import { useState } from "react"
import { dayStart } from "../../builder/Period.ts"
import { addDays, today } from "../../builder/Days.ts"
import { useProject, useWhere } from "../../shell/Project.tsx"
import type { Shape } from "../../ui/kept/Kept.ts"
import { KeptNotice } from "../../ui/kept/KeptNotice.tsx"
import { Moment } from "../../ui/Moment.tsx"
import { RemoveButton } from "../../ui/Button.tsx"
import { DeniableButton } from "../../ui/DeniableButton.tsx"
import { useKept } from "../../ui/kept/useKept.ts"

interface Step {
  readonly at: string
  readonly percent: number
}

/** What somebody types of a step before they plan it. */
interface StepDraft {
  readonly day: string
  readonly percent: string
}

interface Props {
  readonly experimentId: number
  readonly steps: ReadonlyArray<Step & { readonly state: "pending" | "applied" | "skipped" }>
  /** Why nothing can be changed. */
  readonly reason: string | undefined
  readonly isBusy: boolean
  readonly onChange: (steps: ReadonlyArray<Step>) => void
}

const stateWords = { pending: "planned", applied: "done", skipped: "passed over" } as const

const draftShape: Shape<StepDraft> = { version: 1, read: (kept) => kept }

/** The fields of a step that is not planned yet, as they begin. */
export const useFirstStep = () => {
  const { timezone } = useProject()
  return useState<StepDraft>(() => ({ day: addDays(today(timezone), 1), percent: "50" }))
}

/** A day and a percent; a step happens when the day begins. */
export const AddStep = ({
  typed,
  isBusy,
  reason,
  onType,
  onAdd
}: {
  readonly typed: StepDraft
  readonly isBusy: boolean
  readonly reason: string | undefined
  readonly onType: (typed: StepDraft) => void
  readonly onAdd: (step: Step) => void
}) => {
  const { timezone } = useProject()
  const { day, percent } = typed
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
        readOnly={reason !== undefined}
        onChange={({ currentTarget }) => onType({ day: currentTarget.value, percent })}
      />
      <input
        className="input"
        type="number"
        min="0"
        max="100"
        step="any"
        aria-label="Percent from then on"
        value={percent}
        readOnly={reason !== undefined}
        onChange={({ currentTarget }) => onType({ day, percent: currentTarget.value })}
      />
      %
      <DeniableButton
        type="submit"
        look="button-small"
        denied={reason ?? (isComplete ? null : "A step needs a day and a percentage from 0 to 100.")}
        isBusy={isBusy}
      >
        Plan a step
      </DeniableButton>
    </form>
  )
}

/** The steps of the rollout in order, of which those that are still to come can be changed. */
export const StepEditor = ({ experimentId, steps, reason, isBusy, onChange }: Props) => {
  const pending = steps.filter(({ state }) => state === "pending").map(({ at, percent }) => ({ at, percent }))
  const isDisabled = reason !== undefined || isBusy
  const { timezone } = useProject()
  const { environmentId } = useWhere()
  const { draft, wasKept, change, discard } = useKept(`experiment-step-${environmentId}-${experimentId}`, draftShape)
  const [first, setFirst] = useFirstStep()
  const isPlanned = ({ day, percent }: StepDraft) =>
    day !== "" && pending.some((step) => step.at === dayStart(day, timezone) && step.percent === Number(percent))
  // The fields go on from what was planned last: the next step often differs little from it.
  if (draft !== null && isPlanned(draft)) {
    setFirst(draft)
    change(() => null)
  }
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
      {wasKept && reason === undefined && <KeptNotice what="The step you typed" onDiscard={discard} />}
      <AddStep
        typed={draft ?? first}
        onType={(typed) => change(() => typed)}
        isBusy={isBusy}
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
