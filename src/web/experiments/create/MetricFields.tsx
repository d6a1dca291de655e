import { countText, numberText, percentText } from "../../text/Numbers.ts"
import { RemoveButton } from "../../ui/Button.tsx"
import { metricWords } from "../MetricWords.ts"
import { MeasureFields, type MeasureChoices } from "./MeasureFields.tsx"
import type { MetricEstimate } from "./Needed.ts"
import { defaultName, lackOf } from "./PlanBody.ts"
import type { MetricDraft, MetricKind } from "./PlanDraft.ts"
import { Problem } from "./Problem.tsx"

interface Props {
  readonly metric: MetricDraft
  readonly choices: MeasureChoices
  readonly estimate: MetricEstimate | undefined
  readonly isTried: boolean
  readonly onChange: (part: Partial<MetricDraft>) => void
  readonly onRemove: () => void
}

/** What the metric is now: its mean, how far players are from it, and of how many players that is. */
export const nowWords = (kind: MetricKind, { n, mean, variance }: MetricEstimate): string => {
  if (mean === null) return n === 0 ? "Nobody's time for it is over yet." : "There is nothing to divide by yet."
  const isShare = kind !== "count" && kind !== "sum" && kind !== "ratio"
  const value = isShare ? percentText(mean * 100) : numberText(mean)
  const spread = isShare ? "" : ` ± ${numberText(Math.sqrt(variance ?? 0))} (one player's standard deviation)`
  return `Now ${value}${spread}, of ${countText(n, "player")}`
}

/** One metric as a sentence of fields, with its value now. */
export const MetricFields = (props: Props) => {
  const { metric, choices, estimate, isTried, onChange, onRemove } = props
  const { kind, name, direction } = metric
  const called = name === "" ? defaultName(metric) : name
  const set = (part: Partial<MetricDraft>) => onChange(part)
  return (
    <div className="plan-metric" role="group" aria-label={called}>
      <div className="row">
        {metric.kept === null ? (
          <MeasureFields metric={metric} choices={choices} onChange={set} />
        ) : (
          <span>
            {metricWords(metric.kept)}
            <small className="faint">Made with the API, and kept as it is.</small>
          </span>
        )}
        <select
          className="input plan-direction"
          aria-label={`Which way is better for ${called}`}
          value={direction}
          onChange={({ currentTarget }) =>
            set({ direction: currentTarget.value === "decrease" ? "decrease" : "increase" })
          }
        >
          <option value="increase">higher is better</option>
          <option value="decrease">lower is better</option>
        </select>
        <RemoveButton label={`Remove ${called}`} onRemove={onRemove} />
      </div>
      <div className="row">
        <input
          className="input plan-name"
          aria-label="Name of the metric"
          placeholder={defaultName(metric)}
          value={name}
          maxLength={100}
          autoComplete="off"
          onChange={({ currentTarget }) => set({ name: currentTarget.value })}
        />
        <span className="faint" aria-live="polite">
          {estimate === undefined ? "" : nowWords(kind, estimate)}
        </span>
      </div>
      {isTried && <Problem text={lackOf(metric)} />}
    </div>
  )
}
