import { useAllSavedQueries } from "../api/savedQueries.ts"
import { useMarkerTypes } from "../api/queries.ts"
import { useWhere } from "../shell/Project.tsx"
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
          {all.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
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
    case "sampleRatio": {
      const id = watch?.kind === "guardrail" || watch?.kind === "sampleRatio" ? watch.experimentId : null
      return (
        <NumberField
          label="Experiment"
          name="experimentId"
          value={id ?? ""}
          min={1}
          help="Its number; empty: every one that runs."
        />
      )
    }
    case "cohort":
      return (
        <NumberField
          label="Cohort"
          name="cohortId"
          value={(watch?.kind === "cohort" ? watch.cohortId : null) ?? ""}
          min={1}
          help="Its number; empty: every one."
        />
      )
  }
}
