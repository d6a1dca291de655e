import type { DrawnSeries } from "./DrawnSeries.ts"

interface Props {
  readonly series: Pick<DrawnSeries, "key" | "name" | "color" | "isHidden">
  readonly onToggle: (key: string) => void
  readonly onIsolate: (key: string) => void
}

/** A series in a legend: a click hides or shows it, a double click, or one with Shift, shows it alone. */
export const SeriesName = ({ series: { key, name, color, isHidden }, onToggle, onIsolate }: Props) => (
  <button
    type="button"
    className="series-name"
    aria-pressed={!isHidden}
    title="Click hides or shows it; a double click, or Shift, shows it alone"
    onClick={(event) => {
      if (event.detail === 2 || event.shiftKey) onIsolate(key)
      else onToggle(key)
    }}
  >
    <i className={`swatch series-${color ?? "other"}`} />
    {name}
  </button>
)
