import { countText, numberText, percentText } from "../../text/Numbers.ts"
import type { Choice } from "../../ui/Picker.tsx"
import { Picker } from "../../ui/Picker.tsx"
import { RemoveButton } from "../../ui/RemoveButton.tsx"
import type { MetricEstimate } from "./Needed.ts"
import { defaultName, lackOf } from "./PlanBody.ts"
import type { MetricDraft, MetricKind } from "./PlanDraft.ts"
import { metricKinds } from "./PlanDraft.ts"
import { Problem } from "./Problem.tsx"

interface Props {
  readonly metric: MetricDraft
  readonly markers: ReadonlyArray<Choice>
  readonly args: ReadonlyArray<Choice>
  readonly questions: ReadonlyArray<{ readonly id: string; readonly name: string }>
  readonly estimate: MetricEstimate | undefined
  readonly isTried: boolean
  readonly onChange: (part: Partial<MetricDraft>) => void
  readonly onRemove: () => void
}

const kindOf = (text: string): MetricKind => metricKinds.find(({ value }) => value === text)?.value ?? "proportion"

/** What the metric is now: its mean, how far players are from it, and of how many players that is. */
export const nowWords = (kind: MetricKind, { n, mean, variance }: MetricEstimate): string => {
  if (mean === null) return "Nobody's time for it is over yet."
  const isShare = kind !== "count" && kind !== "sum"
  const value = isShare ? percentText(mean * 100) : numberText(mean)
  const spread = isShare ? "" : ` ± ${numberText(Math.sqrt(variance ?? 0))} (one player's standard deviation)`
  return `Now ${value}${spread}, of ${countText(n, "player")}`
}

/** One metric as a sentence of fields, with its value now. */
export const MetricFields = (props: Props) => {
  const { metric, markers, args, questions, estimate, isTried, onChange, onRemove } = props
  const { kind, marker, argument, days, name, queryId, direction } = metric
  const called = name === "" ? defaultName(metric) : name
  const set = (part: Partial<MetricDraft>) => onChange(part)
  return (
    <div className="plan-metric" role="group" aria-label={called}>
      <div className="row">
        <Picker
          label="Measure"
          value={kind}
          choices={metricKinds}
          onChoose={(next) =>
            set({ kind: kindOf(next), ...(kindOf(next) === "retention" && days === "" ? { days: "1" } : {}) })
          }
        />
        {kind === "sum" && (
          <>
            <span>of</span>
            <Picker
              label="Argument"
              value={argument}
              placeholder="Choose an argument"
              choices={args}
              onChoose={(next) => set({ argument: next })}
            />
          </>
        )}
        {kind === "funnel" ? (
          <Picker
            label="Saved question"
            value={queryId}
            placeholder="Choose a saved question"
            choices={questions.map((question) => ({ value: question.id, label: question.name }))}
            onChoose={(next) => set({ queryId: next, name: questions.find(({ id }) => id === next)?.name ?? "" })}
          />
        ) : (
          <>
            <span>{kind === "sum" ? "in" : "with"}</span>
            <Picker
              label="Marker"
              value={marker}
              placeholder="Choose a marker"
              choices={markers}
              onChoose={(next) => set({ marker: next, argument: "" })}
            />
            <span>{kind === "retention" ? "on day" : "within"}</span>
            <input
              className="input plan-days"
              type="number"
              min="1"
              max="365"
              step="1"
              aria-label={kind === "retention" ? "Day" : "Days from the first exposure"}
              placeholder={kind === "retention" ? "1" : "any"}
              value={days}
              onChange={({ currentTarget }) => set({ days: currentTarget.value })}
            />
            {kind !== "retention" && <span>days</span>}
          </>
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
