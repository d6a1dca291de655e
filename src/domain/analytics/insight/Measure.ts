import { type StoredEvent, valueNamed } from "../markers/Event.ts"
import { groupBy } from "../filter/Grouping.ts"
import type { Measure } from "./InsightPlan.ts"
import { percentileOf } from "./Percentile.ts"
import { exactSum } from "./Sum.ts"
import { numberOf } from "../filter/Value.ts"

type Events = ReadonlyArray<StoredEvent>

const distinct = (events: Events, id: (event: StoredEvent) => string | null): number => {
  const ids = new Set<string>()
  for (const event of events) {
    const value = id(event)
    if (value !== null) ids.add(value)
  }
  return ids.size
}

const users = (events: Events): number => distinct(events, (event) => event.unitId)
const sessions = (events: Events): number => distinct(events, (event) => event.sessionId)

const numbers = (events: Events, argument: string): ReadonlyArray<number> => {
  const found: Array<number> = []
  for (const event of events) {
    const number = numberOf(valueNamed(event.arguments, argument))
    if (number !== null) found.push(number)
  }
  return found
}

const ratio = (numerator: number, denominator: number): number | null =>
  denominator === 0 ? null : numerator / denominator

const average = (values: ReadonlyArray<number>): number | null => ratio(exactSum(values), values.length)

const averagePerUser = (events: Events, argument: string): number | null => {
  const averages: Array<number> = []
  for (const [unitId, own] of groupBy(events, (event) => event.unitId)) {
    const mean = unitId === null ? null : average(numbers(own, argument))
    if (mean !== null) averages.push(mean)
  }
  return average(averages)
}

const extreme = (values: ReadonlyArray<number>, isBetter: (a: number, b: number) => boolean): number | null => {
  let best: number | null = null
  for (const value of values) if (best === null || isBetter(value, best)) best = value
  return best
}

const measured = (measure: Measure, events: Events): number | null => {
  switch (measure.type) {
    case "totalEvents":
      return events.length
    case "uniqueUsers":
    case "firstTimeUsers":
    case "activeUsers":
      return users(events)
    case "totalSessions":
      return sessions(events)
    case "frequencyPerUser":
      return ratio(events.length, users(events))
    case "frequencyPerSession":
      return ratio(events.length, sessions(events))
    case "sum":
      return exactSum(numbers(events, measure.argument))
    case "average":
      return average(numbers(events, measure.argument))
    case "min":
      return extreme(numbers(events, measure.argument), (a, b) => a < b)
    case "max":
      return extreme(numbers(events, measure.argument), (a, b) => a > b)
    case "sumPerUser":
      return ratio(exactSum(numbers(events, measure.argument)), users(events))
    case "averagePerUser":
      return averagePerUser(events, measure.argument)
    case "percentile":
      return percentileOf(numbers(events, measure.argument), measure.percentile)
  }
}

/**
 * A measure of the markers of one group and bucket. Counts and sums of nothing are 0; any other measure of nothing is
 * null, as is a result beyond a double. `frequencyPerUser` and `sumPerUser` divide by the distinct units of all these
 * markers; `averagePerUser` is the mean of the units' means. firstTimeUsers and activeUsers count the units of the
 * markers given, which the caller selects.
 */
export const measureOf = (measure: Measure, events: Events): number | null => {
  const value = measured(measure, events)
  return value !== null && Number.isFinite(value) ? value : null
}
