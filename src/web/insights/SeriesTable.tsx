import { changeText, numberText } from "../text/Numbers.ts"
import type { ShownSeries } from "./Series.ts"
import { finishedValues } from "./Series.ts"

interface Props {
  readonly series: ReadonlyArray<ShownSeries>
  readonly complete: ReadonlyArray<boolean>
  readonly isCompared: boolean
  /** `day`, for "Last full day". */
  readonly step: string
  readonly onToggle: (key: string) => void
  readonly onIsolate: (key: string) => void
}

const Change = ({ now, before }: { readonly now: number | null; readonly before: number | null | undefined }) => {
  if (now === null || before === null || before === undefined || before === 0)
    return <td className="number faint">–</td>
  const change = (now / before - 1) * 100
  return <td className={change > 0 ? "number up" : change < 0 ? "number down" : "number"}>{changeText(change)}</td>
}

/** A row for each series, which is the chart's legend and its text. */
export const SeriesTable = ({ series, complete, isCompared, step, onToggle, onIsolate }: Props) => {
  const hasBefore = isCompared && series.some(({ before }) => before !== null)
  return (
    <div className="table-box" role="region" aria-label="Values" tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Series</th>
            <th scope="col" className="number">
              Whole period
            </th>
            {hasBefore && (
              <>
                <th scope="col" className="number">
                  Before
                </th>
                <th scope="col" className="number">
                  Change
                </th>
              </>
            )}
            <th scope="col" className="number">
              Last full {step}
            </th>
            <th scope="col" className="number">
              Highest {step}
            </th>
          </tr>
        </thead>
        <tbody>
          {series.map((each) => {
            const { last, highest } = finishedValues(each, complete)
            return (
              <tr key={each.key} className={each.isHidden ? "row-hidden" : ""}>
                <th scope="row">
                  <button
                    type="button"
                    className="series-name"
                    aria-pressed={!each.isHidden}
                    title="Click hides or shows it, double click shows it alone"
                    onClick={() => onToggle(each.key)}
                    onDoubleClick={() => onIsolate(each.key)}
                  >
                    <i className={`swatch series-${each.color ?? "other"}`} />
                    {each.name}
                  </button>
                </th>
                <td className="number">{numberText(each.aggregate)}</td>
                {hasBefore && (
                  <>
                    <td className="number faint">{numberText(each.before?.aggregate)}</td>
                    <Change now={each.aggregate} before={each.before?.aggregate} />
                  </>
                )}
                <td className="number">{numberText(last)}</td>
                <td className="number">{numberText(highest)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
