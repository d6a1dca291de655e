import type { DrawnSeries } from "./DrawnSeries.ts"
import { numberText, percentText } from "../text/Numbers.ts"
import type { Step } from "../text/Times.ts"
import { bucketName } from "../text/Times.ts"

interface Props {
  readonly bucket: string
  readonly at: number
  readonly isOver: boolean
  readonly series: ReadonlyArray<DrawnSeries>
  readonly step: Step
  readonly timezone: string
  /** Whether values are percent. */
  readonly isPercent: boolean
  readonly x: number
  readonly width: number
}

/** Rows of a tooltip; more would leave the screen. */
const mostRows = 12

/** The values of one bucket, the highest first. */
export const ChartTip = ({ bucket, at, isOver, series, step, timezone, isPercent, x, width }: Props) => {
  const valueText = (value: number | null | undefined) =>
    isPercent && value !== null && value !== undefined ? percentText(value) : numberText(value)
  const ranked = [...series].sort((left, right) => (right.values[at] ?? -Infinity) - (left.values[at] ?? -Infinity))
  return (
    <div
      className={x > width / 2 ? "chart-tip chart-tip-left" : "chart-tip"}
      ref={(element) => {
        element?.style.setProperty("--x", `${x}px`)
      }}
      role="status"
    >
      <p>
        <b>{bucketName(bucket, step, timezone)}</b>
        {!isOver && " so far"}
      </p>
      <table>
        <tbody>
          {ranked.slice(0, mostRows).map(({ key, name, color, values, before }) => (
            <tr key={key}>
              <th scope="row">
                <i className={`swatch series-${color ?? "other"}`} />
                {name}
              </th>
              <td>{valueText(values[at])}</td>
              {before !== null && <td className="faint">{numberText(before.values[at])}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {ranked.length > mostRows && <p className="faint">and {ranked.length - mostRows} more</p>}
    </div>
  )
}
