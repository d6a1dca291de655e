import { plainSeries, type DrawnSeries } from "../charts/DrawnSeries.ts"
import { TimeChart } from "../charts/TimeChart.tsx"
import { useProject } from "../shell/Project.tsx"
import { countText } from "../text/Numbers.ts"
import type { Preview, WatchBody } from "./AlertQueries.ts"

interface Props {
  readonly preview: Preview
  readonly watch: WatchBody
}

/** What past windows showed, with the interval of what was expected. */
export const AlertChart = ({ preview: { windows, found, incidents }, watch }: Props) => {
  const { timezone } = useProject()
  const factor = watch.kind === "funnelStep" ? 100 : 1
  const scaled = (value: number | null) => (value === null ? null : value * factor)
  const step = "every" in watch && watch.every === "day" ? "day" : "hour"
  const looks = windows.map(({ look }) => look)
  const isChange = "condition" in watch && watch.condition.kind === "change"
  const expected: DrawnSeries = {
    ...plainSeries(
      "expected",
      "Expected",
      7,
      looks.map((look) => scaled(look.expected))
    ),
    band: { low: looks.map(({ low }) => scaled(low)), high: looks.map(({ high }) => scaled(high)) }
  }
  return (
    <>
      <p role="status">{found.text}</p>
      {windows.length > 0 && (
        <>
          <div className="alert-chart">
            <TimeChart
              label={`The past ${step === "day" ? "four weeks" : "week"} as the alert sees it`}
              kind="line"
              buckets={windows.map(({ from }) => from)}
              complete={windows.map(() => true)}
              series={[
                ...(isChange ? [expected] : []),
                plainSeries(
                  "value",
                  "Found",
                  0,
                  looks.map(({ value }) => scaled(value))
                )
              ]}
              isStacked={false}
              isPercent={factor === 100}
              step={step}
              timezone={timezone}
              height={220}
            />
          </div>
          <p className="faint">
            In this time it would have told somebody {countText(incidents, "time")}.
            {isChange ? " The band is what is usual at that time of the week." : ""}
          </p>
        </>
      )}
    </>
  )
}
