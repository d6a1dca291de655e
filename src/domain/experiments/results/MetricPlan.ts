import { Either } from "effect"
import { type Filter, unfiltered } from "../../analytics/filter/Filter.ts"
import { type FiltersRequest, planFilter, planSelector } from "../../analytics/filter/FilterRequest.ts"
import { type FunnelQuery, planFunnel } from "../../analytics/funnel/FunnelQuery.ts"
import { type Checked, problem } from "../../analytics/question/QueryProblem.ts"
import { columnsOf, rollingLength } from "../../analytics/retention/RetentionCells.ts"
import { type RetentionQuery, criterionOf } from "../../analytics/retention/RetentionQuery.ts"
import type { Asking } from "../../analytics/time/TimeQuery.ts"
import type { Amount, AmountMetric, PlannedMetric, ExposureWindow } from "./ScorecardPlan.ts"
import { dayMillis } from "../../Durations.ts"

interface MarkersRequest extends FiltersRequest {
  readonly marker: string | readonly [string, ...ReadonlyArray<string>]
  readonly argument?: string | undefined
}

interface CountedRequest extends MarkersRequest {
  /** Days since the first exposure within which markers count; without it, all later markers count. */
  readonly withinDays?: number | undefined
}

interface AggregatedRequest extends CountedRequest {
  readonly aggregation: "count" | "sum"
}

/** A metric of an experiment, as requested. */
export type MetricRequest =
  | ({ readonly type: "proportion" } & CountedRequest)
  | ({ readonly type: "mean" } & AggregatedRequest)
  | ({ readonly type: "ratio"; readonly denominator: MarkersRequest } & AggregatedRequest)
  | ({ readonly type: "retention"; readonly day: number } & MarkersRequest)

/** A saved query used as a metric. */
export type GoalQuery =
  | { readonly queryType: "funnel"; readonly spec: FunnelQuery }
  | { readonly queryType: "retention"; readonly spec: RetentionQuery }

const always = { from: -Infinity, to: Infinity }

const amountOf = (request: MarkersRequest, argument: string | null): Checked<Amount> =>
  Either.map(planSelector({ ...request, name: request.marker }, ""), (selector) => ({
    selector,
    filter: unfiltered,
    argument
  }))

const aggregated = (request: AggregatedRequest): Checked<Amount> => {
  const { aggregation, argument = null } = request
  if (aggregation === "count") return amountOf(request, null)
  return argument === null
    ? problem("invalid", "argument: a sum needs the name of an argument")
    : amountOf(request, argument)
}

const windowOf = ({ withinDays = Infinity }: CountedRequest): ExposureWindow => ({
  from: 0,
  to: withinDays * dayMillis,
  countsAfter: -Infinity
})

/**
 * A window of return intervals (of `length` ms) after the exposure, both ends included. A unit counts once the last of them is over, or the
 * first where they have no end.
 */
const returning = (first: number, last: number, length: number): ExposureWindow => ({
  from: first * length,
  to: (last + 1) * length,
  countsAfter: ((last === Infinity ? first : last) + 1) * length
})

const amounts = (
  amounts: AmountMetric["amounts"],
  window: ExposureWindow,
  atLeast: number | null = null
): AmountMetric => ({
  type: "amounts",
  amounts,
  atLeast,
  window
})

/** Plans a metric, or tells why it cannot be asked. */
export const planMetric = (request: MetricRequest): Checked<PlannedMetric> => {
  switch (request.type) {
    case "proportion":
      return Either.map(amountOf(request, null), (amount) => amounts([amount], windowOf(request), 1))
    case "mean":
      return Either.map(aggregated(request), (amount) => amounts([amount], windowOf(request)))
    case "ratio": {
      const { denominator } = request
      return Either.map(
        Either.all([aggregated(request), amountOf(denominator, denominator.argument ?? null)]),
        ([above, below]) => amounts([above, below], windowOf(request))
      )
    }
    case "retention":
      return Either.map(amountOf(request, null), (amount) =>
        amounts([amount], returning(request.day, request.day, dayMillis), 1)
      )
  }
}

const retained = (query: RetentionQuery, filter: Filter): Checked<PlannedMetric> => {
  const [first, last] = columnsOf(criterionOf(query)).at(-1) ?? [1, 1]
  const length = rollingLength[query.interval]
  const { minimumOccurrences } = query
  const isEach = minimumOccurrences > 1 && last > first
  return Either.map(planSelector(query.return ?? query.start, "return."), (selector) => ({
    ...amounts([{ selector, filter, argument: null }], returning(first, last, length), minimumOccurrences),
    ...(isEach ? { interval: length } : {})
  }))
}

/**
 * Plans a saved query as a metric of units from their first exposure on; the query's own time is ignored. A funnel
 * counts units that reach its last step. A retention query counts units with enough returns in one interval of its last column, taking
 * the exposure as the start.
 */
export const planGoalQuery = ({ queryType, spec }: GoalQuery, asking: Asking): Checked<PlannedMetric> =>
  queryType === "funnel"
    ? Either.map(planFunnel(spec, asking), (funnel) => ({
        type: "funnel",
        funnel: { ...funnel, range: always, breakdowns: [], overTime: null }
      }))
    : Either.flatMap(planFilter(spec, ""), (filter) => retained(spec, filter))
