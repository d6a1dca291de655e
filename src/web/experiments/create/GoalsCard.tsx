import { useMemo } from "react"
import { useQuery } from "@tanstack/react-query"
import { argumentsQuery, markerTypesQuery } from "../../api/queries.ts"
import { markerChoices, numberChoices } from "../../builder/FieldChoices.ts"
import { useProject, useWhere } from "../../shell/Project.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { MetricFields } from "./MetricFields.tsx"
import type { MetricEstimate } from "./Needed.ts"
import type { MetricDraft, PlanDraft } from "./PlanDraft.ts"
import { freshMetric } from "./PlanDraft.ts"
import { useGoalQuestions } from "./PlanQueries.ts"
import { deniedTo } from "../../text/Denied.ts"

interface Props {
  readonly draft: Pick<PlanDraft, "metrics">
  readonly isTried: boolean
  /** By the key of the metric. */
  readonly estimates: ReadonlyMap<string, MetricEstimate>
  readonly error: Error | null
  readonly onChange: (part: Pick<PlanDraft, "metrics">) => void
}

const roles = [
  ["goal", "Goals", "What should get better. The verdict is about these.", "Add a goal"],
  ["guardrail", "Guardrails", "What must not get worse, whatever the goals do.", "Add a guardrail"]
] as const

const none: ReadonlyArray<{ readonly id: string; readonly name: string }> = []

/** What is measured, with what it is now. */
export const GoalsCard = ({ draft, isTried, estimates, error, onChange }: Props) => {
  const where = useWhere()
  const { may } = useProject()
  const mayAsk = may("markers:read")
  const types = useQuery({ ...markerTypesQuery(where), enabled: mayAsk })
  const args = useQuery({ ...argumentsQuery(where), enabled: mayAsk })
  const questions = useGoalQuestions(
    where,
    may("analytics:read") && draft.metrics.some(({ kind }) => kind === "funnel")
  )
  const markers = useMemo(() => markerChoices(types.data ?? []), [types.data])
  const choices = useMemo(
    () => ({
      markers,
      argumentsOf: (marker: string) => numberChoices(args.data ?? [], marker),
      questions: questions.data ?? none
    }),
    [args.data, markers, questions.data]
  )
  const set = (key: string, part: Partial<MetricDraft>) =>
    onChange({ metrics: draft.metrics.map((metric) => (metric.key === key ? { ...metric, ...part } : metric)) })
  return (
    <section className="card plan-card" aria-label="Goals and guardrails">
      <h2>Goals and guardrails</h2>
      {!mayAsk && <p className="faint">{deniedTo("Choosing markers", "markers:read")}</p>}
      {error !== null && (
        <p className="form-error" role="alert">
          {error.message}
        </p>
      )}
      {roles.map(([role, title, help, add]) => (
        <div key={role} className="plan-metrics">
          <h3>
            {title} <small className="faint">{help}</small>
          </h3>
          {draft.metrics
            .filter((metric) => metric.role === role)
            .map((metric) => (
              <MetricFields
                key={metric.key}
                metric={metric}
                choices={choices}
                estimate={estimates.get(metric.key)}
                isTried={isTried}
                onChange={(part) => set(metric.key, part)}
                onRemove={() => onChange({ metrics: draft.metrics.filter(({ key }) => key !== metric.key) })}
              />
            ))}
          <button
            type="button"
            className="button button-small"
            onClick={() => onChange({ metrics: [...draft.metrics, freshMetric(role)] })}
          >
            <Icon name="plus" size={14} />
            {add}
          </button>
        </div>
      ))}
    </section>
  )
}
