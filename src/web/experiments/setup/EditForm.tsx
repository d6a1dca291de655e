import type { FormEvent } from "react"
import { useState } from "react"
import { isOutdated } from "../../api/Failure.ts"
import { useWhere } from "../../shell/Project.tsx"
import { ChangedMeanwhile } from "../../ui/ChangedMeanwhile.tsx"
import { Callout } from "../../ui/States.tsx"
import { GoalsCard } from "../create/GoalsCard.tsx"
import type { MetricEstimate } from "../create/Needed.ts"
import { askedMetrics, lackOf } from "../create/PlanBody.ts"
import { metricDraftsOf } from "../create/PlanOfRecord.ts"
import type { Experiment } from "../ExperimentWords.ts"
import { Refusal } from "./Refusal.tsx"
import { useExperimentWrites } from "./useExperimentWrites.ts"
import "../../theme/experimentPlan.css"

interface Props {
  readonly experiment: Experiment
  readonly onClose: () => void
}

const nothingKnown: ReadonlyMap<string, MetricEstimate> = new Map()

const textOf = (value: string | null): string => value ?? ""
const orNull = (text: string): string | null => (text.trim() === "" ? null : text.trim())

/**
 * Changes what an experiment is called, why it is made and what it is judged by, while it runs. It stands in the page, because the
 * lists of pickers would open behind a dialog.
 */
export const EditForm = ({ experiment, onClose }: Props) => {
  const { update } = useExperimentWrites(useWhere(), experiment.id)
  const [begun] = useState(experiment)
  const [name, setName] = useState(experiment.name)
  const [hypothesis, setHypothesis] = useState(textOf(experiment.hypothesis))
  const [description, setDescription] = useState(textOf(experiment.description))
  const [before] = useState(() => metricDraftsOf(experiment.metrics))
  const [metrics, setMetrics] = useState(before)
  const [isTried, setTried] = useState(false)
  const [basedOn, setBasedOn] = useState(experiment.updatedAt)
  const known = new Set(before.map(({ id }) => id))
  const isStarted = experiment.status !== "scheduled"
  const hasNew = metrics.some(({ id }) => !known.has(id))
  const isComplete = name.trim() !== "" && metrics.every((metric) => lackOf(metric) === null)
  const isChanged = isOutdated(update.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (isComplete) save(basedOn)
  }
  const save = (on: string) => {
    const asked = askedMetrics(metrics)
    const ofRole = (role: "goal" | "guardrail") => asked.filter((each) => each.role === role).map(({ body }) => body)
    update.mutate(
      {
        ...(name.trim() === begun.name ? {} : { name: name.trim() }),
        ...(orNull(hypothesis) === begun.hypothesis ? {} : { hypothesis: orNull(hypothesis) }),
        ...(orNull(description) === begun.description ? {} : { description: orNull(description) }),
        ...(metrics === before ? {} : { metrics: { goals: ofRole("goal"), guardrails: ofRole("guardrail") } }),
        basedOn: on
      },
      { onSuccess: onClose }
    )
  }
  return (
    <form className="setup-page" aria-label={`Edit ${experiment.name}`} onSubmit={submit}>
      <section className="card plan-card" aria-label="What and why">
        <h2>What and why</h2>
        <label className="field">
          Name
          <input
            value={name}
            maxLength={100}
            autoComplete="off"
            aria-invalid={isTried && name.trim() === ""}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <label className="field">
          What should happen
          <textarea
            className="input"
            rows={2}
            value={hypothesis}
            maxLength={2000}
            onChange={({ currentTarget }) => setHypothesis(currentTarget.value)}
          />
        </label>
        <label className="field">
          Notes
          <textarea
            className="input"
            rows={2}
            value={description}
            maxLength={2000}
            onChange={({ currentTarget }) => setDescription(currentTarget.value)}
          />
        </label>
      </section>
      <GoalsCard
        draft={{ metrics }}
        isTried={isTried}
        estimates={nothingKnown}
        error={null}
        onChange={(part) => setMetrics(part.metrics)}
      />
      {isStarted && (
        <Callout tone={hasNew ? "bad" : "warning"}>
          What is added after the start is exploratory: who has seen numbers chooses what looks good. Confirm it with an
          experiment of its own. What is taken out is still measured, and may come back.
        </Callout>
      )}
      {isChanged ? (
        <ChangedMeanwhile
          what="this experiment"
          isBusy={update.isPending || experiment.updatedAt === basedOn}
          onTheirs={onClose}
          onMine={() => {
            setBasedOn(experiment.updatedAt)
            save(experiment.updatedAt)
          }}
        />
      ) : (
        <Refusal error={update.error} />
      )}
      {isTried && !isComplete && (
        <p className="form-error" role="status">
          {name.trim() === "" ? "Give it a name" : "A goal or guardrail is not complete yet; see above."}
        </p>
      )}
      <div className="row">
        <button type="submit" className="button button-primary" disabled={update.isPending}>
          {update.isPending ? "Saving …" : "Save"}
        </button>
        <button type="button" className="button" onClick={onClose}>
          Leave it
        </button>
      </div>
    </form>
  )
}
