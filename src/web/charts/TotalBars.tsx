import type { ShownSeries } from "../insights/Series.ts"
import { numberText } from "../text/Numbers.ts"

interface Props {
  /** The question in words. */
  readonly label: string
  readonly series: ReadonlyArray<ShownSeries>
}

/** One bar for each series, as long as its value over the whole period; the longest first. */
export const TotalBars = ({ label, series }: Props) => {
  const shown = series
    .filter(({ isHidden }) => !isHidden)
    .sort((left, right) => (right.aggregate ?? 0) - (left.aggregate ?? 0))
  const longest = Math.max(...shown.map(({ aggregate }) => aggregate ?? 0), 0)
  return (
    <ol className="total-bars" aria-label={label}>
      {shown.map(({ key, name, color, aggregate }) => (
        <li key={key} className={`series-${color ?? "other"}`}>
          <span>{name}</span>
          <i
            ref={(bar) => {
              bar?.style.setProperty(
                "--length",
                `${longest === 0 ? 0 : (Math.max(0, aggregate ?? 0) / longest) * 100}%`
              )
            }}
          />
          <b>{numberText(aggregate)}</b>
        </li>
      ))}
    </ol>
  )
}
