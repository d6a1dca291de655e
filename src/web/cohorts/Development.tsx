import { useMemo, useState } from "react"
import { NotedChart } from "../notes/NotedChart.tsx"
import { NotesToggle } from "../notes/NotesToggle.tsx"
import { useProject } from "../shell/Project.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { Empty } from "../ui/States.tsx"
import { useUrlState } from "../url/useUrlState.ts"
import type { Cohort, Usage } from "./CohortQueries.ts"
import { cohortCodec } from "./CohortState.ts"
import { dailyHistory } from "./History.ts"
import { plainSeries } from "../charts/DrawnSeries.ts"

const views = [
  ["size", "Members"],
  ["moves", "Came and went"]
] as const

/** Computations that the server keeps of a cohort. */
const keptRuns = 1000

/** How the size developed, and how many came and went on each day. */
export const Development = ({ cohort, usage }: { readonly cohort: Cohort; readonly usage: Usage }) => {
  const { timezone } = useProject()
  const [{ over }, change] = useUrlState(cohortCodec)
  const [now] = useState(() => Date.now())
  const days = useMemo(() => dailyHistory(usage.history, timezone, now), [now, timezone, usage.history])
  const isSize = over === "size"
  const series = isSize
    ? [plainSeries("size", "Members", 0, days.sizes)]
    : [plainSeries("entered", "Came", 0, days.entered), plainSeries("left", "Went", 1, days.left)]
  return (
    <section className="card" aria-label="Over time">
      <div className="toolbar">
        <h2>Over time</h2>
        <span className="toolbar-end row">
          <NotesToggle />
          <Segmented
            label="Shown"
            value={over}
            choices={views}
            onChoose={(next) => change((state) => ({ ...state, over: next }))}
          />
        </span>
      </div>
      {usage.history.length === 0 ? (
        <Empty title="Nothing to show yet">The first point is drawn when the first members are complete.</Empty>
      ) : (
        <>
          <NotedChart
            label={
              isSize ? `Members of ${cohort.name} by day` : `Players who came to and went from ${cohort.name} by day`
            }
            kind={isSize ? "line" : "bars"}
            buckets={days.buckets}
            complete={days.buckets.map((_, index) => index < days.buckets.length - 1)}
            series={series}
            isStacked={false}
            step="day"
            timezone={timezone}
          />
          {!isSize && (
            <p className="legend">
              <span>
                <i className="swatch series-0" /> Came
              </span>
              <span>
                <i className="swatch series-1" /> Went
              </span>
            </p>
          )}
          <footer className="card-foot">
            <span>
              {usage.history.length >= keptRuns
                ? `The server keeps the last ${keptRuns} computations: what was before is not shown.`
                : "A change of the rules shows as players who come and go."}
            </span>
            <span>Times are {timezone}.</span>
          </footer>
        </>
      )}
    </section>
  )
}
