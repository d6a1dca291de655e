import type { BreakdownGroup } from "../filter/Breakdown.ts"
import { groupOf } from "../filter/Breakdown.ts"
import { groupTest } from "../filter/ChosenGroup.ts"
import { groupBy } from "../filter/Grouping.ts"
import { numberOf } from "../filter/Value.ts"
import { type StoredEvent, valueNamed } from "../markers/Event.ts"
import { noUnits, pageOfIds, type UnitList, type UnitPaging } from "../question/UnitList.ts"
import type { TimeSpan } from "../time/Buckets.ts"
import { insight, population, within } from "./Insight.ts"
import type { InsightPlan, Measure } from "./InsightPlan.ts"
import { percentileOf } from "./Percentile.ts"
import { exactSum } from "./Sum.ts"

/** Which units behind a number of an insight to list. */
export interface InsightUnitsPlan extends UnitPaging {
  readonly insight: InsightPlan
  /** An index into the metrics of the insight. */
  readonly metric: number
  /** An index into its buckets; null chooses the aggregate. */
  readonly bucket: number | null
  readonly group: BreakdownGroup
  /** Whether to compute each unit's own value, which is null otherwise. */
  readonly values: boolean
}

/** What a number of an insight counts: the instants of its markers. */
export const insightSpan = (
  { insight: { range, buckets, cumulative }, bucket }: InsightUnitsPlan,
  measure: Measure
): TimeSpan => {
  if (measure.type === "activeUsers") return measure.spans[bucket ?? measure.spans.length - 1] ?? { from: 0, to: 0 }
  if (bucket === null) return range
  const [from = 0, to = 0] = buckets.boundaries.slice(bucket, bucket + 2)
  return { from: cumulative ? range.from : Math.max(from, range.from), to: Math.min(to, range.to) }
}

/** The argument without whose number a marker adds nothing to the measure; null when every marker counts. */
export const countedArgument = (measure: Measure): string | null =>
  "argument" in measure && measure.type !== "sumPerUser" ? measure.argument : null

/** Whether a marker without a session adds nothing to the measure. */
export const countsSessions = ({ type }: Measure): boolean => type === "totalSessions"

/** Whether the measure of one unit reads the sessions of its markers. */
export const readsSessions = ({ type }: Measure): boolean => type === "totalSessions" || type === "frequencyPerSession"

/** What the counted markers of one unit hold. */
export interface UnitNumbers {
  readonly markers: number
  /** The number of distinct sessions. */
  readonly sessions: number
  /** The numbers of the measure's argument. */
  readonly numbers: ReadonlyArray<number>
}

const mean = (numbers: ReadonlyArray<number>): number | null =>
  numbers.length === 0 ? null : exactSum(numbers) / numbers.length

const valueOf = (measure: Measure, { markers, sessions, numbers }: UnitNumbers): number | null => {
  switch (measure.type) {
    case "totalEvents":
    case "uniqueUsers":
    case "firstTimeUsers":
    case "activeUsers":
    case "frequencyPerUser":
      return markers
    case "totalSessions":
      return sessions
    case "frequencyPerSession":
      return sessions === 0 ? null : markers / sessions
    case "sum":
    case "sumPerUser":
      return exactSum(numbers)
    case "average":
    case "averagePerUser":
      return mean(numbers)
    case "min":
      return percentileOf(numbers, 0)
    case "max":
      return percentileOf(numbers, 100)
    case "percentile":
      return percentileOf(numbers, measure.percentile)
  }
}

/**
 * The measure of one unit's markers. Measures that count units give the number of its markers instead, because every
 * unit counts as one. Null where there is nothing to compute, and beyond a double.
 */
export const unitValue = (measure: Measure, counted: UnitNumbers): number | null => {
  const value = valueOf(measure, counted)
  return value !== null && Number.isFinite(value) ? value : null
}

const numbersOf = (measure: Measure, own: ReadonlyArray<StoredEvent>): UnitNumbers => ({
  markers: own.length,
  sessions: new Set(own.flatMap(({ sessionId }) => (sessionId === null ? [] : [sessionId]))).size,
  numbers:
    "argument" in measure ? own.flatMap((event) => numberOf(valueNamed(event.arguments, measure.argument)) ?? []) : []
})

/**
 * The units behind one number of an insight: those of the markers that it counts. Where the number counts units, the
 * total is the number.
 */
export const insightUnits = (events: ReadonlyArray<StoredEvent>, plan: InsightUnitsPlan): UnitList => {
  const asked = plan.insight
  const metric = asked.metrics[plan.metric]
  if (metric === undefined) return noUnits
  const { measure } = metric
  const argument = countedArgument(measure)
  const groupsOf = groupOf(asked.breakdowns)
  const isChosen = groupTest(plan.group, () => insight(events, asked).groups)
  const counted = within(population(events, asked, metric), insightSpan(plan, measure)).filter(
    (event) =>
      event.unitId !== null &&
      (argument === null || numberOf(valueNamed(event.arguments, argument)) !== null) &&
      (!countsSessions(measure) || event.sessionId !== null) &&
      isChosen(groupsOf(event))
  )
  const byUnit = groupBy(counted, ({ unitId }) => unitId ?? "")
  const units = pageOfIds([...byUnit.keys()], plan).map((unitId) => {
    const own = byUnit.get(unitId) ?? []
    const lastAt = own.reduce((last, { timestamp }) => Math.max(last, timestamp), -Infinity)
    return { unitId, value: plan.values ? unitValue(measure, numbersOf(measure, own)) : null, lastAt }
  })
  return { units, total: byUnit.size }
}
