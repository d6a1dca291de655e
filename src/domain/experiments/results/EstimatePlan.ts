import { Either, Option } from "effect"
import type { Filter } from "../../analytics/filter/Filter.ts"
import { type Checked, problem } from "../../analytics/question/QueryProblem.ts"
import { startOf } from "../../Calendar.ts"
import { dayMillis } from "../../Durations.ts"
import { ExperimentGroupId, ExperimentId } from "../../Ids.ts"
import { zoneNamed } from "../../Zone.ts"
import { add, none } from "./Moments.ts"
import { type MetricShape, type Spread, spreadOf } from "./Samples.ts"
import type { PlannedMetric, ScorecardAnswer, ScorecardPlan } from "./ScorecardPlan.ts"
import { daysOf, priorDays, roundedUp } from "./ScorecardRequest.ts"

/** A question about metrics before an experiment is made. `now` in epoch ms; `zone` is the IANA zone that determines days. */
export interface EstimateRequest {
  readonly metrics: ReadonlyArray<PlannedMetric>
  /** Which markers bring a unit in. */
  readonly entry: Filter
  /** Days of the zone that are looked at, the present one included. */
  readonly days: number
  readonly now: number
  readonly zone: string
}

/** A scorecard of one group has no experiment: nothing looks at these ids. */
const [nobodys, only] = [ExperimentId.make(1), ExperimentGroupId.make(1)]

/** A unit counts once the time of the metric is over: an unfinished one would make the mean too low. */
const finished = (metric: PlannedMetric): PlannedMetric =>
  metric.type === "funnel" || !Number.isFinite(metric.window.to) || metric.window.countsAfter !== -Infinity
    ? metric
    : { ...metric, window: { ...metric.window, countsAfter: metric.window.to } }

/** Plans a scorecard of one group, whose units come in with their first marker; or tells why it cannot be asked. */
export const planEstimate = ({ metrics, entry, days, now, zone }: EstimateRequest): Checked<ScorecardPlan> => {
  const found = zoneNamed(zone)
  if (Option.isNone(found)) return problem("timeZone", `there is no time zone ${zone}`)
  const calendar = { zone: found.value, weekStart: 0 } as const
  const from = startOf(calendar, "day", startOf(calendar, "day", now) - (days - 1) * dayMillis + dayMillis / 2)
  return Either.right({
    experimentId: nobodys,
    unitType: "user",
    groupIds: [only],
    entry,
    range: { from, to: now + 1 },
    multipleExposure: "first",
    metrics: metrics.map(finished),
    priorLength: priorDays * dayMillis,
    asOf: roundedUp(now),
    phases: [from],
    days: daysOf(calendar, from, now + 1)
  })
}

export interface Estimate {
  readonly units: number
  /** By day of the plan: units that came in on it. */
  readonly unitsByDay: ReadonlyArray<number>
  /** In the order of `shapes`. */
  readonly metrics: ReadonlyArray<Spread>
}

/** What an answer to a plan of `planEstimate` says; `shapes` are those of the plan's metrics. */
export const estimateOf = (
  plan: ScorecardPlan,
  { days }: ScorecardAnswer,
  shapes: ReadonlyArray<MetricShape>
): Estimate => {
  const byDay = new Map(days.map(({ day, exposures }) => [day, exposures[0] ?? 0]))
  const unitsByDay = plan.days.map((_, day) => byDay.get(day) ?? 0)
  return {
    units: unitsByDay.reduce((sum, count) => sum + count, 0),
    unitsByDay,
    metrics: shapes.map((shape, place) => {
      const all = days.flatMap(({ metrics }) => metrics[place]?.[0] ?? [])
      const width = all[0]?.sums.length ?? 1
      return spreadOf(shape, all.reduce(add, none(width)))
    })
  }
}
