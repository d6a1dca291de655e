import { axisTexts, countText } from "../text/Numbers.ts"
import { properties } from "../ui/properties.ts"
import { ticksUpTo } from "./Scale.ts"

interface Bin {
  readonly from: number
  readonly to: number
  readonly count: number
}

interface Props {
  /** What is counted, in words. */
  readonly label: string
  readonly bins: ReadonlyArray<Bin>
  /** Values that are marked by a line, with their names. */
  readonly marks: ReadonlyArray<readonly [value: number, name: string]>
  /** Index of its colour; null for grey. */
  readonly color: number | null
  /** A value as people say it. */
  readonly textOf: (value: number) => string
  /** A bin was chosen, counted from 0. */
  readonly onChoose: (bin: number) => void
}

/** Places of labels below the axis, as parts of its length. */
const labelled = [0, 0.25, 0.5, 0.75, 1]

/** How many players have a value in each bin, from the least to the greatest; a bar leads to its players. */
export const Histogram = ({ label, bins, marks, color, textOf, onChoose }: Props) => {
  const least = bins.at(0)?.from ?? 0
  const most = bins.at(-1)?.to ?? 0
  const ticks = ticksUpTo(Math.max(...bins.map(({ count }) => count), 1), true)
  const tickTexts = axisTexts(ticks)
  const highest = ticks.at(-1) ?? 1
  return (
    <div
      className={`histogram series-${color ?? "other"}`}
      role="region"
      aria-label={label}
      tabIndex={0}
      ref={properties({ "--bins": String(bins.length) })}
    >
      <div className="histogram-plot">
        {ticks.map((tick, index) => (
          <span key={tick} className="histogram-tick" ref={properties({ "--at": `${(tick / highest) * 100}%` })}>
            {tickTexts[index]}
          </span>
        ))}
        <ol aria-label={label}>
          {bins.map(({ from, to, count }, bin) => (
            <li key={from}>
              <button
                type="button"
                disabled={count === 0}
                title={`${countText(count, "player")} · ${textOf(from)} to ${textOf(to)}`}
                aria-label={`${countText(count, "player")}: ${textOf(from)} to ${textOf(to)}`}
                ref={properties({ "--height": `${(count / highest) * 100}%` })}
                onClick={() => onChoose(bin)}
              />
            </li>
          ))}
        </ol>
        {most > least &&
          marks.map(([value, name]) => (
            <span
              key={name}
              className="histogram-mark"
              ref={properties({ "--at": `${((value - least) / (most - least)) * 100}%` })}
            >
              <span>{name}</span>
            </span>
          ))}
      </div>
      <div className="histogram-axis" aria-hidden="true">
        {most === least ? (
          <span>{textOf(least)}</span>
        ) : (
          labelled.map((part) => <span key={part}>{textOf(least + part * (most - least))}</span>)
        )}
      </div>
    </div>
  )
}
