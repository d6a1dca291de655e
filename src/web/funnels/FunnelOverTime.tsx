import { useMemo } from "react"
import type { Answer } from "../api/Wire.ts"
import { TimeChart } from "../charts/TimeChart.tsx"
import { numberText, percentText } from "../text/Numbers.ts"
import type { Step } from "../text/Times.ts"
import { bucketName } from "../text/Times.ts"

type Points = NonNullable<Answer<"queries.funnels">["series"][number]["overTime"]>

interface Props {
  readonly label: string
  readonly points: Points
  readonly step: Step
  readonly timezone: string
}

/** The share of players who passed all steps, by the time of their first one. Those who still may are drawn dashed. */
export const FunnelOverTime = ({ label, points, step, timezone }: Props) => {
  const series = useMemo(
    () => [
      {
        key: "rate",
        name: "Passed all steps",
        color: 0,
        values: points.map(({ entered, rate }) => (entered === 0 ? null : rate)),
        aggregate: null,
        before: null,
        isHidden: false
      }
    ],
    [points]
  )
  const buckets = useMemo(() => points.map(({ bucket }) => bucket), [points])
  const complete = useMemo(() => points.map((point) => point.complete), [points])
  return (
    <>
      <TimeChart
        label={label}
        kind="line"
        buckets={buckets}
        complete={complete}
        series={series}
        isStacked={false}
        isPercent
        step={step}
        timezone={timezone}
      />
      <div className="table-box table-tall" role="region" aria-label="Values over time" tabIndex={0}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">First step</th>
              <th scope="col" className="number">
                Players
              </th>
              <th scope="col" className="number">
                Passed all steps
              </th>
              <th scope="col" className="number">
                Share
              </th>
            </tr>
          </thead>
          <tbody>
            {points.toReversed().map((point) => (
              <tr key={point.bucket}>
                <th scope="row">
                  {bucketName(point.bucket, step, timezone)}
                  {point.complete ? "" : " so far"}
                </th>
                <td className="number">{numberText(point.entered)}</td>
                <td className="number">{numberText(point.converted)}</td>
                <td className="number">{point.entered === 0 ? "–" : percentText(point.rate)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
