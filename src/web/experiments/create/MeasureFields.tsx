import type { Choice } from "../../ui/Picker.tsx"
import { Picker } from "../../ui/Picker.tsx"
import type { MetricDraft, MetricKind } from "./PlanDraft.ts"
import { metricKinds } from "./PlanDraft.ts"

/** What a metric can be made of. */
export interface MeasureChoices {
  readonly markers: ReadonlyArray<Choice>
  /** Arguments of a marker that can be added up. */
  readonly argumentsOf: (marker: string) => ReadonlyArray<Choice>
  readonly questions: ReadonlyArray<{ readonly id: string; readonly name: string }>
}

interface CountedProps {
  readonly label: string
  readonly value: string
  readonly args: ReadonlyArray<Choice>
  readonly onChoose: (argument: string) => void
}

interface Props {
  readonly metric: MetricDraft
  readonly choices: MeasureChoices
  readonly onChange: (part: Partial<MetricDraft>) => void
}

const kindOf = (text: string): MetricKind => metricKinds.find(({ value }) => value === text)?.value ?? "proportion"

/** A sum of an argument, or how often a marker comes. */
const Counted = ({ label, value, args, onChoose }: CountedProps) => (
  <Picker
    label={label}
    value={value}
    placeholder="times of"
    choices={[{ value: "", label: "times of" }, ...args]}
    onChoose={onChoose}
  />
)

/** What a metric measures, as a sentence of fields. */
export const MeasureFields = ({ metric, choices: { markers, argumentsOf, questions }, onChange: set }: Props) => {
  const { kind, marker, argument, perMarker, perArgument, days, queryId } = metric
  return (
    <>
      <Picker
        label="Measure"
        value={kind}
        choices={metricKinds}
        onChoose={(next) =>
          set({ kind: kindOf(next), ...(kindOf(next) === "retention" && days === "" ? { days: "1" } : {}) })
        }
      />
      {kind === "ratio" && (
        <Counted
          label="What is added up"
          value={argument}
          args={argumentsOf(marker)}
          onChoose={(next) => set({ argument: next })}
        />
      )}
      {kind === "sum" && (
        <>
          <span>of</span>
          <Picker
            label="Argument"
            value={argument}
            placeholder="Choose an argument"
            choices={argumentsOf(marker)}
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
          {kind !== "ratio" && <span>{kind === "sum" ? "in" : "with"}</span>}
          <Picker
            label="Marker"
            value={marker}
            placeholder="Choose a marker"
            choices={markers}
            onChoose={(next) => set({ marker: next, argument: "" })}
          />
          {kind === "ratio" && (
            <>
              <span>per</span>
              <Counted
                label="What it is divided by"
                value={perArgument}
                args={argumentsOf(perMarker)}
                onChoose={(next) => set({ perArgument: next })}
              />
              <Picker
                label="Divided by the marker"
                value={perMarker}
                placeholder="Choose a marker"
                choices={markers}
                onChoose={(next) => set({ perMarker: next, perArgument: "" })}
              />
            </>
          )}
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
    </>
  )
}
