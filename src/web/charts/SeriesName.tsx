interface Props {
  readonly name: string
  /** Index of its colour; null for the grey of the rest. */
  readonly color: number | null
  readonly isHidden: boolean
  readonly onToggle: () => void
  readonly onIsolate: () => void
}

/** A series in a legend: a click hides or shows it, a double click, or one with Shift, shows it alone. */
export const SeriesName = ({ name, color, isHidden, onToggle, onIsolate }: Props) => (
  <button
    type="button"
    className="series-name"
    aria-pressed={!isHidden}
    title="Click hides or shows it; a double click, or Shift, shows it alone"
    onClick={(event) => {
      if (event.detail === 2 || event.shiftKey) onIsolate()
      else onToggle()
    }}
  >
    <i className={`swatch series-${color ?? "other"}`} />
    {name}
  </button>
)
