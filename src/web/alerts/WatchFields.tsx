import { useAllSavedQueries } from "../api/savedQueries.ts"
import { useCohorts, useExperiments, useMarkerTypes } from "../api/queries.ts"
import { useProject, useWhere } from "../shell/Project.tsx"
import { isOpen } from "../experiments/ExperimentWords.ts"
import type { AlertWatch } from "./AlertQueries.ts"
import type { AlertDraft } from "./AlertDraft.ts"
import { ConditionFields, NumberField } from "./ConditionFields.tsx"

interface Props {
  readonly watch: AlertWatch | null
  readonly draft: AlertDraft
  readonly onChange: (draft: AlertDraft) => void
}

/** Which saved question is watched, and which of its numbers. */
const QuestionFields = ({ watch, draft, onChange }: Props) => {
  const { applicationId } = useWhere()
  const type = draft.kind === "funnelStep" ? "funnel" : "insight"
  const all = useAllSavedQueries(applicationId, type) ?? []
  const chosen = all.find(({ id }) => id === draft.queryId)
  // What is watched stays chosen while the list is not there yet, or where it does not have it.
  const kept =
    chosen === undefined && watch !== null && "queryId" in watch && watch.queryId === draft.queryId ? watch : null
  return (
    <>
      <label className="field">
        Question
        <select
          required
          value={draft.queryId}
          onChange={({ currentTarget }) => onChange({ ...draft, queryId: currentTarget.value })}
        >
          <option value="">{all.length === 0 ? `No ${type} is saved yet` : "Choose one"}</option>
          {kept !== null && <option value={kept.queryId}>The one that it watches</option>}
          {all.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {kept?.kind === "query" && kept.metricId !== null && (
        <input type="hidden" name="metricId" value={kept.metricId} />
      )}
      {kept?.kind === "funnelStep" && <input type="hidden" name="step" value={kept.step} />}
      {draft.kind === "query" && chosen?.queryType === "insight" && (
        <label className="field">
          Metric
          <select name="metricId" key={chosen.id} defaultValue={(watch?.kind === "query" && watch.metricId) || ""}>
            <option value="">the first that is shown</option>
            {chosen.spec.metrics.map(({ id, data }) => (
              <option key={id} value={id}>
                {id}:{" "}
                {data.type === "formula"
                  ? (data.name ?? data.formula)
                  : `${data.type} ${[data.name].flat().join(", ")}`}
              </option>
            ))}
          </select>
        </label>
      )}
      {draft.kind === "funnelStep" && chosen?.queryType === "funnel" && (
        <label className="field">
          Step
          <select
            name="step"
            key={chosen.id}
            defaultValue={watch?.kind === "funnelStep" ? watch.step : chosen.spec.steps.length - 1}
          >
            {chosen.spec.steps.map(({ id, name }, index) =>
              index === 0 ? null : (
                <option key={id} value={index}>
                  {index + 1}: {[name].flat().join(", ")}
                </option>
              )
            )}
          </select>
        </label>
      )}
      <ConditionFields watch={watch} draft={draft} onChange={onChange} />
    </>
  )
}

const SilenceFields = ({ watch }: Pick<Props, "watch">) => {
  const types = useMarkerTypes(useWhere())
  const known = watch?.kind === "silence" ? watch : null
  return (
    <>
      <label className="field">
        Markers, separated by commas
        <input
          name="names"
          required
          autoComplete="off"
          list="alert-markers"
          defaultValue={known === null ? "" : [known.names].flat().join(", ")}
        />
      </label>
      <datalist id="alert-markers">
        {types.data?.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
      <NumberField label="None for so many minutes" name="minutes" value={known?.minutes ?? 60} min={5} max={10_080} />
    </>
  )
}

interface OneOrAllProps {
  readonly label: string
  readonly name: string
  /** The id of the one that is watched; null: all of them. */
  readonly known: number | null
  readonly all: string
  readonly choices: ReadonlyArray<{ readonly id: number; readonly name: string }>
}

/** One by its name, or all. What is watched stays chosen while the others are not there yet, or it is none of them any more. */
const OneOrAll = ({ label, name, known, all, choices }: OneOrAllProps) => {
  const isMissing = known !== null && !choices.some(({ id }) => id === known)
  const listed = isMissing ? [...choices, { id: known, name: `${label} ${known}` }] : choices
  return (
    <label className="field">
      {label}
      <select name={name} defaultValue={known ?? ""}>
        <option value="">{all}</option>
        {listed.map((choice) => (
          <option key={choice.id} value={choice.id}>
            {choice.name}
          </option>
        ))}
      </select>
    </label>
  )
}

const ExperimentField = ({ watch }: Pick<Props, "watch">) => {
  const { may } = useProject()
  const experiments = useExperiments(useWhere(), may("experiments:read"))
  const known = watch?.kind === "guardrail" || watch?.kind === "sampleRatio" ? watch.experimentId : null
  return (
    <OneOrAll
      label="Experiment"
      name="experimentId"
      known={known}
      all="every one that runs"
      choices={(experiments.data ?? []).filter(isOpen)}
    />
  )
}

const CohortField = ({ watch }: Pick<Props, "watch">) => {
  const { may } = useProject()
  const cohorts = useCohorts(useWhere(), may("cohorts:read"))
  const known = watch?.kind === "cohort" ? watch.cohortId : null
  const choices = (cohorts.data ?? []).toSorted((one, other) => one.name.localeCompare(other.name))
  return <OneOrAll label="Cohort" name="cohortId" known={known} all="every one" choices={choices} />
}

/** What is watched and when it fires. */
export const WatchFields = (props: Props) => {
  const { watch, draft } = props
  switch (draft.kind) {
    case "query":
    case "funnelStep":
      return <QuestionFields {...props} />
    case "silence":
      return <SilenceFields watch={watch} />
    case "guardrail":
    case "sampleRatio":
      return <ExperimentField watch={watch} />
    case "cohort":
      return <CohortField watch={watch} />
  }
}
