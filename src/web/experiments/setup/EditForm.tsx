import type { FormEvent } from "react"
import { useMemo, useState } from "react"
import { isOutdated } from "../../api/Failure.ts"
import type { Where } from "../../api/queries.ts"
import { useWhere } from "../../shell/Project.tsx"
import { Button } from "../../ui/Button.tsx"
import { ChangedMeanwhile } from "../../ui/kept/ChangedMeanwhile.tsx"
import type { Shape } from "../../ui/kept/Kept.ts"
import { Callout } from "../../ui/States.tsx"
import { useKept } from "../../ui/kept/useKept.ts"
import { GoalsCard } from "../create/GoalsCard.tsx"
import type { MetricEstimate } from "../create/Needed.ts"
import { askedMetrics, lackOf } from "../create/PlanBody.ts"
import type { MetricDraft } from "../create/PlanDraft.ts"
import { freshMetric } from "../create/PlanDraft.ts"
import { metricDraftsOf } from "../create/PlanOfRecord.ts"
import type { Experiment } from "../ExperimentWords.ts"
import { Refusal } from "./Refusal.tsx"
import { useExperimentWrites } from "./useExperimentWrites.ts"
import "../../theme/experimentPlan.css"

/** What somebody has changed of an experiment and not saved yet; what they have not touched is not in it. */
interface EditDraft {
  readonly name?: string
  readonly hypothesis?: string
  readonly description?: string
  readonly metrics?: ReadonlyArray<MetricDraft>
  /** When the experiment was changed last before that. */
  readonly basedOn: string
}

const editShape: Shape<EditDraft> = {
  version: 1,
  read: ({ metrics, ...kept }) =>
    metrics === undefined
      ? kept
      : { ...kept, metrics: metrics.map((metric) => ({ ...freshMetric("goal"), ...metric })) }
}

/** What this browser keeps of it: who looks at the results meanwhile goes on with it later. */
export const useEdits = ({ environmentId }: Where, experimentId: number) =>
  useKept(`experiment-edit-${environmentId}-${experimentId}`, editShape)

interface Props {
  readonly experiment: Experiment
  readonly edits: ReturnType<typeof useEdits>
  readonly onClose: () => void
}

const nothingKnown: ReadonlyMap<string, MetricEstimate> = new Map()

const textOf = (value: string | null): string => value ?? ""
const orNull = (text: string): string | null => (text.trim() === "" ? null : text.trim())

/**
 * Changes what an experiment is called, why it is made and what it is judged by, while it runs. It stands in the page, because the
 * lists of pickers would open behind a dialog.
 */
export const EditForm = ({ experiment, edits, onClose }: Props) => {
  const { update } = useExperimentWrites(useWhere(), experiment.id)
  const { draft } = edits
  // What is not touched is shown as it is now, whoever has changed it.
  const present = useMemo(() => metricDraftsOf(experiment.metrics), [experiment.metrics])
  const name = draft?.name ?? experiment.name
  const hypothesis = draft?.hypothesis ?? textOf(experiment.hypothesis)
  const description = draft?.description ?? textOf(experiment.description)
  const metrics = draft?.metrics ?? present
  const basedOn = draft?.basedOn ?? experiment.updatedAt
  const [isTried, setTried] = useState(false)
  const known = new Set(present.map(({ id }) => id))
  const isStarted = experiment.status !== "scheduled"
  const hasNew = metrics.some(({ id }) => !known.has(id))
  const isComplete = name.trim() !== "" && metrics.every((metric) => lackOf(metric) === null)
  const isChanged = isOutdated(update.error)
  const change = (part: Partial<EditDraft>) =>
    edits.change((before) => ({ ...(before ?? { basedOn: experiment.updatedAt }), ...part }))
  const leave = () => {
    edits.discard()
    onClose()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (isComplete) save(basedOn)
  }
  const save = (on: string) => {
    const asked = askedMetrics(metrics)
    const ofRole = (role: "goal" | "guardrail") => asked.filter((each) => each.role === role).map(({ body }) => body)
    const body = {
      ...(draft?.name === undefined ? {} : { name: name.trim() }),
      ...(draft?.hypothesis === undefined ? {} : { hypothesis: orNull(hypothesis) }),
      ...(draft?.description === undefined ? {} : { description: orNull(description) }),
      ...(draft?.metrics === undefined ? {} : { metrics: { goals: ofRole("goal"), guardrails: ofRole("guardrail") } }),
      basedOn: on
    }
    // Who goes elsewhere before it is saved finds no draft of it either when they come back.
    void update.mutateAsync(body).then(leave, () => undefined)
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
            onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          />
        </label>
        <label className="field">
          What should happen
          <textarea
            className="input"
            rows={2}
            value={hypothesis}
            maxLength={2000}
            onChange={({ currentTarget }) => change({ hypothesis: currentTarget.value })}
          />
        </label>
        <label className="field">
          Notes
          <textarea
            className="input"
            rows={2}
            value={description}
            maxLength={2000}
            onChange={({ currentTarget }) => change({ description: currentTarget.value })}
          />
        </label>
      </section>
      <GoalsCard draft={{ metrics }} isTried={isTried} estimates={nothingKnown} error={null} onChange={change} />
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
          onTheirs={leave}
          onMine={() => {
            change({ basedOn: experiment.updatedAt })
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
        <Button type="submit" className="button button-primary" disabled={update.isPending}>
          {update.isPending ? "Saving …" : "Save"}
        </Button>
        <button type="button" className="button" onClick={leave}>
          Leave it
        </button>
      </div>
    </form>
  )
}
