import type { Answer } from "../api/Wire.ts"
import type { Where } from "../api/queries.ts"
import { chosenText, filtersFor, markerChoices, numberChoices } from "../builder/FieldChoices.ts"
import { MarkerFilters } from "../builder/OnlyWhere.tsx"
import { measureOf, measures, needsArgument } from "../builder/Measures.ts"
import { Icon } from "../ui/Icon.tsx"
import { Picker } from "../ui/Picker.tsx"
import type { MetricState } from "./Question.ts"
import { freshMetric, letterOf } from "./Question.ts"
import { RemoveButton } from "../ui/Button.tsx"

interface Props {
  readonly where: Where
  readonly metrics: ReadonlyArray<MetricState>
  readonly types: Answer<"markers.types">
  readonly args: Answer<"markers.arguments">
  readonly properties: Answer<"markers.properties">
  /** Whether a metric may be left to the formulas alone. */
  readonly mayHide: boolean
  readonly onChange: (metrics: ReadonlyArray<MetricState>) => void
  /** The metric at the place is taken out of the question. */
  readonly onRemove: (index: number) => void
}

const measureChoices = measures.map(({ value, label, help }) => ({ value, label, help }))

/** Cards of what is measured: a letter, a marker, and what of it. */
export const MetricList = ({ where, metrics, types, args, properties, mayHide, onChange, onRemove }: Props) => {
  const markers = markerChoices(types)
  const update = (index: number, change: Partial<MetricState>) =>
    onChange(metrics.map((metric, each) => (each === index ? { ...metric, ...change } : metric)))
  const firstNumber = (marker: string) => numberChoices(args, marker)[0]?.value ?? ""
  const chooseMarker = (index: number, marker: string, { measure, filters }: MetricState) =>
    update(index, {
      marker,
      argument: needsArgument(measure) ? firstNumber(marker) : "",
      filters: filtersFor(marker, filters, args)
    })
  const chooseMeasure = (index: number, name: string, { marker, argument }: MetricState) => {
    const measure = measureOf(name)
    update(index, { measure, argument: needsArgument(measure) ? argument || firstNumber(marker) : "" })
  }
  return (
    <>
      {metrics.map((metric, index) => (
        <div className="metric" key={index}>
          <span className={`metric-letter series-${index < 8 ? index : "other"}`} aria-hidden="true">
            {letterOf(index)}
          </span>
          <div className="metric-pickers">
            <Picker
              label={`Marker ${letterOf(index)}`}
              value={metric.marker}
              placeholder={chosenText(metric.marker)}
              choices={markers}
              onChoose={(marker) => chooseMarker(index, marker, metric)}
            />
            <Picker
              label={`Measure ${letterOf(index)}`}
              tone="quiet"
              value={metric.measure}
              choices={measureChoices}
              onChoose={(name) => chooseMeasure(index, name, metric)}
            />
            {needsArgument(metric.measure) && (
              <Picker
                label={`Argument ${letterOf(index)}`}
                tone="quiet"
                value={metric.argument}
                placeholder="Choose an argument"
                choices={numberChoices(args, metric.marker)}
                onChoose={(argument) => update(index, { argument })}
              />
            )}
            {needsArgument(metric.measure) && numberChoices(args, metric.marker).length === 0 && (
              <small className="faint">{metric.marker} has no argument with numbers</small>
            )}
          </div>
          {(mayHide || !metric.isShown) && (
            <button
              type="button"
              className="button button-icon button-quiet"
              aria-label={`Draw metric ${letterOf(index)}`}
              aria-pressed={metric.isShown}
              title={
                metric.isShown
                  ? "Drawn; a click leaves it to the formulas alone"
                  : "Only the formulas use it; a click draws it"
              }
              onClick={() => update(index, { isShown: !metric.isShown })}
            >
              <Icon name={metric.isShown ? "eye" : "eyeClosed"} size={16} />
            </button>
          )}
          {metrics.length > 1 && (
            <RemoveButton label={`Remove metric ${letterOf(index)}`} onRemove={() => onRemove(index)} />
          )}
          <MarkerFilters
            where={where}
            marker={metric.marker}
            filtering={metric}
            of={`metric ${letterOf(index)}`}
            args={args}
            properties={properties}
            onChange={(part) => update(index, part)}
          />
        </div>
      ))}
      <Picker
        label="Add a metric"
        tone="quiet"
        value=""
        placeholder="+ Metric"
        choices={markers}
        onChoose={(marker) => onChange([...metrics, freshMetric(marker, "totalEvents")])}
      />
    </>
  )
}
