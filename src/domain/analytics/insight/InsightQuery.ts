import { Either } from "effect"
import { activeSpans } from "./ActiveUsers.ts"
import { countOf } from "../time/Buckets.ts"
import type { BreakdownRequest, FiltersRequest, SelectorRequest } from "../filter/FilterRequest.ts"
import { planBreakdowns, planFilter, planSelector } from "../filter/FilterRequest.ts"
import { type FormulaError, type FormulaMetric, orderFormulas } from "./Formulas.ts"
import type { ParsedFormula } from "./Formulas.ts"
import type { InsightAnswer, InsightPlan, Measure, Metric } from "./InsightPlan.ts"
import {
  beside,
  type Checked,
  eachOf,
  type ProblemKind,
  problem,
  type QueryProblem,
  together
} from "../question/QueryProblem.ts"
import { type Asking, type TimeQuery, maximumPoints, planTime } from "../time/TimeQuery.ts"
import { type TimeRange, previousPeriod } from "../time/TimeRange.ts"

export type MeasureName = Exclude<Measure["type"], "activeUsers"> | "dau" | "wau" | "mau" | "median" | "formula"

export interface MetricRequest {
  readonly id: string
  readonly visible: boolean
  readonly data: FiltersRequest & {
    readonly type: MeasureName
    readonly name?: SelectorRequest["name"] | undefined
    readonly argument?: string | undefined
    readonly percentile?: number | undefined
    readonly formula?: string | undefined
  }
}

export interface InsightQuery extends FiltersRequest {
  readonly time: TimeQuery
  readonly metrics: ReadonlyArray<MetricRequest>
  readonly breakdowns: ReadonlyArray<BreakdownRequest>
  readonly breakdownLimit: number
  readonly options: {
    readonly compare?: "previousPeriod" | undefined
    readonly cumulative: boolean
    /** Width in buckets. */
    readonly movingAverage?: number | undefined
  }
}

export interface PlannedInsight {
  readonly query: InsightQuery
  readonly time: TimeRange
  readonly plan: InsightPlan
  readonly formulas: ReadonlyArray<ParsedFormula>
}

/** The most metrics that a query may have. */
export const maximumMetrics = 15

const days = { dau: 1, wau: 7, mau: 30 } as const

const measureOf = ({ data }: MetricRequest, path: string, time: TimeRange): Checked<Measure> => {
  const { type, argument, percentile } = data
  switch (type) {
    case "dau":
    case "wau":
    case "mau":
      return Either.right({ type: "activeUsers", days: days[type], spans: activeSpans(time, days[type]) })
    case "totalEvents":
    case "uniqueUsers":
    case "totalSessions":
    case "frequencyPerUser":
    case "frequencyPerSession":
    case "firstTimeUsers":
      return Either.right({ type })
    case "formula":
      return problem("invalid", `${path}type: a formula counts nothing itself`)
    default: {
      if (argument === undefined || argument === "")
        return problem("invalid", `${path}argument: ${type} needs the name of an argument`)
      if (type === "median") return Either.right({ type: "percentile", argument, percentile: 50 })
      if (type !== "percentile") return Either.right({ type, argument })
      return percentile === undefined || !(percentile >= 0 && percentile <= 100)
        ? problem("invalid", `${path}percentile: expected a number from 0 to 100`)
        : Either.right({ type, argument, percentile })
    }
  }
}

const metricOf = (metric: MetricRequest, path: string, time: TimeRange): Checked<Metric> => {
  const { name } = metric.data
  if (name === undefined) return problem("invalid", `${path}name: expected the name of at least one marker`)
  return together({
    id: Either.right(metric.id),
    selector: planSelector({ ...metric.data, name }, path),
    measure: measureOf(metric, path, time)
  })
}

const explain = (error: FormulaError): Checked<never, "formula"> => {
  const path = `metric ${error.metricId}, formula`
  switch (error._tag) {
    case "FormulaSyntax":
      return problem(
        "formula",
        `${path}: expected ${error.expected} at character ${error.at + 1}, found ${error.found ?? "the end"}`
      )
    case "UnknownMetric":
      return problem("formula", `${path}: there is no metric ${error.named} (character ${error.at + 1})`)
    case "FormulaCycle":
      return problem("formula", `${path}: it depends on itself (${error.path.join(" → ")})`)
  }
}

const formulaOf = ({ id, data }: MetricRequest): Checked<FormulaMetric, "formula"> =>
  data.formula === undefined
    ? problem("formula", `metric ${id}, formula: expected one, such as A / B`)
    : Either.right({ id, text: data.formula })

const isFormula = ({ data }: MetricRequest): boolean => data.type === "formula"

const planFormulas = (metrics: ReadonlyArray<MetricRequest>): Checked<ReadonlyArray<ParsedFormula>, "formula"> => {
  const stored = new Set(metrics.filter((metric) => !isFormula(metric)).map(({ id }) => id))
  return Either.flatMap(eachOf(metrics.filter(isFormula).map(formulaOf)), (formulas) =>
    Either.orElse(orderFormulas(formulas, stored), explain)
  )
}

const tooMany: QueryProblem = { kind: "limit", message: `metrics: expected at most ${maximumMetrics}` }

const checkMetrics = (metrics: ReadonlyArray<MetricRequest>): Checked<void> => {
  const ids = metrics.map(({ id }) => id)
  const repeated = [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))]
  const onlyFormulas = metrics.every(isFormula)
    ? [problem("invalid", "metrics: expected at least one that is no formula")]
    : []
  const twice = repeated.map((id) => problem("invalid", `metrics: two have the id ${id}`))
  return Either.map(eachOf([...onlyFormulas, ...twice]), () => undefined)
}

const planOver = (query: InsightQuery, time: TimeRange): Checked<InsightPlan> =>
  together({
    range: Either.right(time.range),
    buckets: Either.right(time.buckets),
    metrics: eachOf(
      query.metrics.flatMap((metric, index) =>
        isFormula(metric) ? [] : [metricOf(metric, `metrics.${index}.data.`, time)]
      )
    ),
    filter: planFilter(query, ""),
    breakdowns: planBreakdowns(query.breakdowns),
    breakdownLimit: Either.right(query.breakdownLimit),
    groups: Either.right(null),
    cumulative: Either.right(query.options.cumulative)
  })

/** What is wrong with the parts of a query that need no time. */
const unplanned = (query: InsightQuery): Checked<unknown> =>
  together({
    selectors: eachOf(
      query.metrics.flatMap((metric, index) => {
        const { name } = metric.data
        return isFormula(metric) || name === undefined
          ? []
          : [planSelector({ ...metric.data, name }, `metrics.${index}.data.`)]
      })
    ),
    filter: planFilter(query, ""),
    breakdowns: planBreakdowns(query.breakdowns)
  })

/** Plans an insight query, or tells why it cannot be asked. */
export const planInsight = (query: InsightQuery, asking: Asking): Checked<PlannedInsight, ProblemKind | "formula"> =>
  Either.gen(function* () {
    const { metrics } = query
    const time = Either.flatMap(planTime(query.time, asking), (known) =>
      countOf(known.buckets) * metrics.length > maximumPoints
        ? problem(
            "limit",
            `time: the result would have more than ${maximumPoints} points: ask for a shorter time, a longer step or fewer metrics`
          )
        : Either.right(known)
    )
    if (metrics.length > maximumMetrics) return yield* beside(tooMany, time)
    const parts = together({ metrics: checkMetrics(metrics), formulas: planFormulas(metrics), time })
    if (Either.isRight(parts)) {
      const { formulas, time: known } = parts.right
      return { query, time: known, plan: yield* planOver(query, known), formulas }
    }
    return yield* beside(parts.left, Either.isRight(time) ? planOver(query, time.right) : unplanned(query))
  })

export interface PeriodComparison {
  readonly time: TimeRange
  readonly plan: InsightPlan
}

/** The same question about the period before, with the groups of the answer it is compared with; null when nothing is compared. */
export const planComparison = (
  { query, time }: PlannedInsight,
  answer: InsightAnswer
): Checked<PeriodComparison | null> => {
  if (query.options.compare === undefined) return Either.right(null)
  const groups = answer.groups.filter(({ isOther }) => !isOther).map(({ values }) => values)
  const before = previousPeriod(time)
  return Either.map(planOver(query, before), (plan) => ({
    time: before,
    plan: { ...plan, groups: query.breakdowns.length === 0 ? null : groups }
  }))
}
