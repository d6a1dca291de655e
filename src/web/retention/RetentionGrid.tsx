import { useState } from "react"
import { countText, numberText, percentText } from "../text/Numbers.ts"
import { bucketName } from "../text/Times.ts"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import type { RetentionSeries } from "./Cells.ts"
import { heatOf, statesOf } from "./Cells.ts"
import type { Interval } from "./RetentionQuestion.ts"
import { mostPicked } from "./RetentionQuestion.ts"

interface Props {
  readonly series: RetentionSeries
  readonly interval: Interval
  readonly timezone: string
  /** The time of the answer, in epoch milliseconds: a page or a board may stay open past midnight. */
  readonly now: number
  readonly label: string
  /** Beginnings of the rows that stand in the curve. */
  readonly picked: ReadonlyArray<string>
  readonly onPick: (picked: ReadonlyArray<string>) => void
  /** A cell was chosen; interval 0 stands for all players of the row. */
  readonly onWho: (start: string, interval: number) => void
}

interface At {
  /** Counted from 0; the average stands before the first row. */
  readonly row: number | "average"
  readonly column: number
}

interface Read {
  readonly rate: number
  readonly count: number
  readonly size: number
  readonly rest: string
}

/** What the cell says in full; null where it says nothing. */
const readingOf = ({ cohorts, total }: RetentionSeries, { row, column }: At, interval: Interval, timezone: string) => {
  const read = (value: Omit<Read, "rest">, rest: string): Read => ({ ...value, rest })
  if (row === "average") {
    const value = total.values[column]
    return value === undefined ? null : read(value, `${interval} ${value.interval}, of the rows that are over`)
  }
  const [cohort, value] = [cohorts[row], cohorts[row]?.values[column]]
  if (cohort === undefined || value === undefined) return null
  const rest = `${interval} ${value.interval} after ${bucketName(cohort.start, interval, timezone)}`
  return read({ ...value, size: cohort.size }, value.complete ? rest : `${rest}, so far`)
}

const wordsOf = (rate: number, isRunning: boolean): string => `${percentText(rate, 0)}${isRunning ? " so far" : ""}`

/** Rows are players by the time of their first marker, columns the intervals after it. Cells that are not over are hatched. */
export const RetentionGrid = ({ series, interval, timezone, now, label, picked, onPick, onWho }: Props) => {
  const [at, setAt] = useState<At | null>(null)
  const { cohorts, total } = series
  const reading = at === null ? null : readingOf(series, at, interval, timezone)
  return (
    <>
      <p className="grid-words" aria-live="polite">
        {reading === null ? (
          <span className="faint">Point at a cell to read it in full.</span>
        ) : (
          <>
            <b>{percentText(reading.rate)}</b> · {numberText(reading.count)} of {countText(reading.size, "player")} ·{" "}
            {reading.rest}
          </>
        )}
      </p>
      <div className="table-box table-tall" role="region" aria-label={label} tabIndex={0}>
        <table className="grid" onMouseLeave={() => setAt(null)}>
          <thead>
            <tr>
              <th scope="col">First {interval}</th>
              <th scope="col" className="number">
                Players
              </th>
              {total.values.map((each, column) => (
                <th key={each.interval} scope="col" className={at?.column === column ? "grid-lit" : ""}>
                  {each.interval}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">Average</th>
              <td className="number">{numberText(total.size)}</td>
              {total.values.map(({ interval: column, size, rate }, index) =>
                // A rate of nobody is no number: no row is over, or those that are had no player.
                size === 0 ? (
                  <td key={column} className="cell-ahead" aria-label="not yet" />
                ) : (
                  <td
                    key={column}
                    className={`cell heat-${heatOf(rate)}`}
                    onMouseEnter={() => setAt({ row: "average", column: index })}
                  >
                    <b>{Math.round(rate)}</b>
                  </td>
                )
              )}
            </tr>
            {cohorts.map(({ start, size, values }, row) => {
              const states = statesOf(start, values, interval, now)
              return (
                <tr key={start}>
                  <th scope="row" className={at?.row === row ? "grid-lit" : ""}>
                    <DeniableButton
                      className="series-name"
                      isPressed={picked.includes(start)}
                      denied={
                        size === 0
                          ? `Nobody began then, so this ${interval} has no curve.`
                          : picked.length >= mostPicked && !picked.includes(start)
                            ? `The curve shows ${mostPicked} rows at most: take one of them out first.`
                            : null
                      }
                      tip="Shows this row in the curve"
                      onClick={() =>
                        onPick(picked.includes(start) ? picked.filter((each) => each !== start) : [...picked, start])
                      }
                    >
                      <i
                        className={
                          picked.includes(start) ? `swatch series-${picked.indexOf(start)}` : "swatch swatch-empty"
                        }
                      />
                      {bucketName(start, interval, timezone)}
                    </DeniableButton>
                  </th>
                  <td className="number">
                    {size === 0 ? (
                      numberText(size)
                    ) : (
                      <button type="button" className="number-link" onClick={() => onWho(start, 0)}>
                        {numberText(size)}
                        <span className="unseen"> players of {bucketName(start, interval, timezone)}</span>
                      </button>
                    )}
                  </td>
                  {values.map(({ interval: column, rate }, index) => {
                    const state = size === 0 ? "ahead" : (states[index] ?? "ahead")
                    return state === "ahead" ? (
                      <td key={column} className="cell-ahead" aria-label="not yet" />
                    ) : (
                      <td
                        key={column}
                        className={state === "over" ? `cell heat-${heatOf(rate)}` : "cell cell-open"}
                        onMouseEnter={() => setAt({ row, column: index })}
                      >
                        <button
                          type="button"
                          className="cell-link"
                          aria-label={wordsOf(rate, state === "running")}
                          onFocus={() => setAt({ row, column: index })}
                          onClick={() => onWho(start, column)}
                        >
                          {state === "running" && rate === 0 ? "" : Math.round(rate)}
                        </button>
                      </td>
                    )
                  })}
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </>
  )
}
