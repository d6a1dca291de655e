import { useState } from "react"
import { countText, numberText, percentText } from "../text/Numbers.ts"
import { bucketName } from "../text/Times.ts"
import type { RetentionSeries } from "./Cells.ts"
import { heatOf, statesOf } from "./Cells.ts"
import type { Interval } from "./RetentionQuestion.ts"

interface Props {
  readonly series: RetentionSeries
  readonly interval: Interval
  readonly timezone: string
  readonly label: string
}

interface At {
  readonly row: number
  readonly column: number
}

/** Rows are players by the time of their first marker, columns the intervals after it. Cells that are not over are hatched. */
export const RetentionGrid = ({ series, interval, timezone, label }: Props) => {
  const [now] = useState(() => Date.now())
  const [at, setAt] = useState<At | null>(null)
  const { cohorts, total } = series
  const chosen = at === null ? undefined : cohorts[at.row]
  const value = at === null ? undefined : chosen?.values[at.column]
  return (
    <>
      <p className="grid-words" aria-live="polite">
        {chosen === undefined || value === undefined ? (
          <span className="faint">Point at a cell to read it in full.</span>
        ) : (
          <>
            <b>{percentText(value.rate)}</b> · {numberText(value.count)} of {countText(chosen.size, "player")} ·{" "}
            {interval} {value.interval} after {bucketName(chosen.start, interval, timezone)}
            {value.complete ? "" : ", so far"}
          </>
        )}
      </p>
      <div className="table-box" role="region" aria-label={label} tabIndex={0}>
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
              {total.values.map((each) => {
                const isKnown = cohorts.some(({ values }) => values[each.interval - 1]?.complete === true)
                return (
                  <td key={each.interval} className={isKnown ? `cell heat-${heatOf(each.rate)}` : ""}>
                    {isKnown ? <b>{Math.round(each.rate)}</b> : ""}
                  </td>
                )
              })}
            </tr>
            {cohorts.map(({ start, size, values }, row) => {
              const states = statesOf(start, values, interval, now)
              return (
                <tr key={start}>
                  <th scope="row" className={at?.row === row ? "grid-lit" : ""}>
                    {bucketName(start, interval, timezone)}
                  </th>
                  <td className="number">{numberText(size)}</td>
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
                        {state === "running" && rate === 0 ? "" : Math.round(rate)}
                        {state === "running" && <span className="unseen"> so far</span>}
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
