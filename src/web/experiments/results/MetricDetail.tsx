import { useMemo } from "react"
import { TimeChart } from "../../charts/TimeChart.tsx"
import { useProject } from "../../shell/Project.tsx"
import type { MetricResult } from "../ExperimentQueries.ts"
import type { Experiment } from "../ExperimentWords.ts"
import { isOpen, unitsWord } from "../ExperimentWords.ts"
import type { Counting, Method } from "../ExperimentState.ts"
import { formulasOf } from "./Formulas.ts"
import { MetricNumbers } from "./MetricNumbers.tsx"
import { leastUnits } from "./Standing.ts"
import { controlOf, groupName } from "./Words.ts"

interface Props {
  readonly experiment: Experiment
  readonly metric: MetricResult
  readonly method: Method
  readonly counting: Counting
}

const percent = (share: number | null | undefined): number | null =>
  share === null || share === undefined ? null : share * 100

/** Days on which every group has enough units for its interval to say something; all of them where none has. */
const tellingDays = ({ overTime }: MetricResult): MetricResult["overTime"] => {
  const telling = overTime.filter(({ groups }) => groups.every(({ n }) => n >= leastUnits))
  return telling.length === 0 ? overTime : telling
}

/** What stands behind a metric: its change over time, its numbers, and how they are computed. */
export const MetricDetail = ({ experiment, metric, method, counting }: Props) => {
  const { timezone } = useProject()
  const { comparisons } = metric
  const overTime = useMemo(() => tellingDays(metric), [metric])
  const buckets = useMemo(() => overTime.map(({ bucket }) => bucket), [overTime])
  const series = useMemo(
    () =>
      comparisons.map(({ groupId }) => {
        const days = overTime.map((day) => day.comparisons.find((each) => each.groupId === groupId))
        return {
          key: String(groupId),
          name: groupName(experiment, groupId),
          color: (experiment.groups.find(({ id }) => id === groupId)?.ordinal ?? 0) % 8,
          values: days.map((day) => percent(day?.relative)),
          band: {
            low: days.map((day) => percent(day?.interval?.[0])),
            high: days.map((day) => percent(day?.interval?.[1]))
          },
          aggregate: null,
          before: null,
          isHidden: false
        }
      }),
    [comparisons, experiment, overTime]
  )
  const control = controlOf(experiment)
  const isOver = !isOpen(experiment)
  return (
    <div className="metric-detail">
      <section aria-label={`${metric.name} over time`}>
        <h3>Over time</h3>
        <p className="faint">
          The change against {control === undefined ? "the control" : groupName(experiment, control.id)} among everybody
          who had seen a group by the end of that day, with the interval that is safe to look at. It begins with the day
          on which each group had {leastUnits} {unitsWord(experiment)}.
        </p>
        {overTime.length === 0 ? (
          <p className="faint">Nobody has seen it yet.</p>
        ) : (
          <TimeChart
            label={`Change of ${metric.name} by day`}
            kind="line"
            buckets={buckets}
            complete={buckets.map((_, index) => isOver || index < buckets.length - 1)}
            series={series}
            isStacked={false}
            isPercent
            step="day"
            timezone={timezone}
            height={220}
          />
        )}
      </section>
      <MetricNumbers experiment={experiment} metric={metric} />
      <section aria-label={`How ${metric.name} is computed`}>
        <h3>How this is computed</h3>
        <dl className="formulas">
          {formulasOf(metric, method, counting).map(({ name, text }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  )
}
