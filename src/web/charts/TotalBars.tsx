import type { DrawnSeries } from "./DrawnSeries.ts"
import { NumberLink } from "../ui/NumberLink.tsx"

interface Props {
  /** The question in words. */
  readonly label: string
  readonly series: ReadonlyArray<DrawnSeries>
  readonly onChoose: (key: string, place: DOMRect) => void
}

/** One bar for each series, as long as its value over the whole period; the longest first. */
export const TotalBars = ({ label, series, onChoose }: Props) => {
  const shown = series
    .filter(({ isHidden }) => !isHidden)
    .sort((left, right) => (right.aggregate ?? 0) - (left.aggregate ?? 0))
  const longest = Math.max(...shown.map(({ aggregate }) => aggregate ?? 0), 0)
  return (
    <ol className="total-bars" aria-label={label}>
      {shown.map((each) => (
        <li key={each.key} className={`series-${each.color ?? "other"}`}>
          <span>{each.name}</span>
          <i
            ref={(bar) => {
              bar?.style.setProperty(
                "--length",
                `${longest === 0 ? 0 : (Math.max(0, each.aggregate ?? 0) / longest) * 100}%`
              )
            }}
          />
          <b>
            <NumberLink value={each.aggregate} onChoose={(place) => onChoose(each.key, place)} />
          </b>
        </li>
      ))}
    </ol>
  )
}
