import { useMemo } from "react"
import { SeriesName } from "../charts/SeriesName.tsx"
import { NotedChart } from "../notes/NotedChart.tsx"
import { numberText, percentText } from "../text/Numbers.ts"
import type { Step } from "../text/Times.ts"
import { bucketName } from "../text/Times.ts"
import type { FunnelGroup } from "./Groups.ts"

interface Props {
  readonly label: string
  readonly groups: ReadonlyArray<FunnelGroup>
  readonly isBrokenDown: boolean
  readonly step: Step
  readonly timezone: string
  readonly onToggle: (key: string) => void
  readonly onIsolate: (key: string) => void
}

type Points = NonNullable<FunnelGroup["series"]["overTime"]>

const pointsOf = ({ series }: FunnelGroup): Points => series.overTime ?? []

const rateText = (point: Points[number] | undefined): string =>
  point === undefined || point.entered === 0 ? "–" : percentText(point.rate)

/** The share of players who passed all steps, by the time of their first one. Those who still may are drawn dashed. */
export const FunnelOverTime = ({ label, groups, isBrokenDown, step, timezone, onToggle, onIsolate }: Props) => {
  const series = useMemo(
    () =>
      groups.map((group) => ({
        key: group.key,
        name: isBrokenDown ? group.name : "Passed all steps",
        color: isBrokenDown ? group.color : 0,
        values: pointsOf(group).map(({ entered, rate }) => (entered === 0 ? null : rate)),
        aggregate: null,
        before: null,
        isHidden: group.isHidden
      })),
    [groups, isBrokenDown]
  )
  const first = useMemo(() => groups.slice(0, 1).flatMap(pointsOf), [groups])
  const buckets = useMemo(() => first.map(({ bucket }) => bucket), [first])
  const complete = useMemo(() => first.map((point) => point.complete), [first])
  return (
    <>
      <NotedChart
        hasTable
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
              {isBrokenDown ? (
                groups.map((group) => (
                  <th key={group.key} scope="col" className={group.isHidden ? "number row-hidden" : "number"}>
                    <SeriesName series={group} onToggle={onToggle} onIsolate={onIsolate} />
                  </th>
                ))
              ) : (
                <>
                  <th scope="col" className="number">
                    Players
                  </th>
                  <th scope="col" className="number">
                    Passed all steps
                  </th>
                  <th scope="col" className="number">
                    Share
                  </th>
                </>
              )}
            </tr>
          </thead>
          <tbody>
            {first
              .map((point, index) => (
                <tr key={point.bucket}>
                  <th scope="row">
                    {bucketName(point.bucket, step, timezone)}
                    {point.complete ? "" : " so far"}
                  </th>
                  {isBrokenDown ? (
                    groups.map((group) => (
                      <td key={group.key} className="number">
                        {rateText(pointsOf(group)[index])}
                      </td>
                    ))
                  ) : (
                    <>
                      <td className="number">{numberText(point.entered)}</td>
                      <td className="number">{numberText(point.converted)}</td>
                      <td className="number">{rateText(point)}</td>
                    </>
                  )}
                </tr>
              ))
              .reverse()}
          </tbody>
        </table>
      </div>
    </>
  )
}
