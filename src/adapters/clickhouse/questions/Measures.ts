import { measureOf } from "../../../domain/analytics/insight/Measure.ts"
import type { Measure } from "../../../domain/analytics/insight/InsightPlan.ts"
import { percentileAt } from "../../../domain/analytics/insight/Percentile.ts"
import { type SumParts, sumOfParts, sumPartsOf } from "./ExactSum.ts"
import { doubleLiteral } from "./Paths.ts"

/** Partial results of one measure in a group of rows. */
interface Partials {
  readonly markers: number
  readonly users: number
  readonly sessions: number
  /** The number of numbers. */
  readonly numbers: number
  readonly sum: SumParts
  readonly least: number | null
  readonly most: number | null
  /** The values on both sides of the percentile, as far as there are any. */
  readonly sides: ReadonlyArray<number>
}

/** The partial results as one column. Rows have the columns `unit` and `session`. */
export type PartialsRow = readonly [
  markers: number,
  users: number,
  sessions: number,
  numbers: number,
  sum: SumParts,
  least: number | null,
  most: number | null,
  sides: ReadonlyArray<number>
]

type Needs = Partial<Record<keyof Partials, true>>

const needs: Readonly<Record<Measure["type"], Needs>> = {
  totalEvents: { markers: true },
  uniqueUsers: { users: true },
  firstTimeUsers: { users: true },
  activeUsers: { users: true },
  totalSessions: { sessions: true },
  frequencyPerUser: { markers: true, users: true },
  frequencyPerSession: { markers: true, sessions: true },
  averagePerUser: {},
  sum: { sum: true },
  average: { sum: true, numbers: true },
  sumPerUser: { sum: true, users: true },
  min: { least: true },
  max: { most: true },
  percentile: { numbers: true, sides: true }
}

/** Whether partial results of groups of rows give the measure: a mean of the units' means needs those of every unit. */
export const isAdded = ({ type }: Measure): boolean => type !== "averagePerUser"

/** The values at the place before the percentile, where that is none itself, and at the one after it. */
const besidePercentile = (value: string, percentile: number): string =>
  `arraySlice(arraySort(groupArray(${value})), toUInt64(floor((greatest(toFloat64(count(${value})), 1) - 1) * ${doubleLiteral(percentile)} / 100)) + 1, 2)`

/** Whether the number of markers is all that the measure needs. */
export const isCount = ({ type }: Measure): boolean => type === "totalEvents"

/**
 * A `PartialsRow`; what the measure does not need is constant. `value` is the column of the argument's number, `counted` says which rows'
 * units count.
 */
export const partialsOf = (measure: Measure, value: string, counted = "hasUnit"): string => {
  const needed = needs[measure.type]
  const percentile = measure.type === "percentile" ? measure.percentile : 0
  const columns: ReadonlyArray<readonly [isNeeded: true | undefined, expression: string, otherwise: string]> = [
    [needed.markers, "count()", "0"],
    [needed.users, `uniqExactIf(unit, ${counted})`, "0"],
    [needed.sessions, "uniqExactIf(session, hasSession)", "0"],
    [needed.numbers, `countIf(isNotNull(${value}))`, "0"],
    [needed.sum, sumPartsOf(value), "0"],
    [needed.least, `min(${value})`, "null"],
    [needed.most, `max(${value})`, "null"],
    [needed.sides, besidePercentile(value, percentile), "[]"]
  ]
  return `tuple(${columns.map(([isNeeded, expression, otherwise]) => (isNeeded === true ? expression : otherwise)).join(", ")})`
}

const ratio = (numerator: number, denominator: number): number | null =>
  denominator === 0 ? null : numerator / denominator

const measured = (measure: Measure, row: PartialsRow): number | null => {
  const [markers, users, sessions, numbers, sum, least, most, [low = 0, high = 0]] = row
  switch (measure.type) {
    case "totalEvents":
      return markers
    case "uniqueUsers":
    case "firstTimeUsers":
    case "activeUsers":
      return users
    case "totalSessions":
      return sessions
    case "frequencyPerUser":
      return ratio(markers, users)
    case "frequencyPerSession":
      return ratio(markers, sessions)
    case "averagePerUser":
      return null
    case "sum":
      return sumOfParts(sum)
    case "average":
      return ratio(sumOfParts(sum), numbers)
    case "sumPerUser":
      return ratio(sumOfParts(sum), users)
    case "min":
      return least
    case "max":
      return most
    case "percentile": {
      const first = Math.floor(((numbers - 1) * measure.percentile) / 100)
      return percentileAt((index) => (index === first ? low : high), numbers, measure.percentile)
    }
  }
}

/** The measure from its partial results; undefined: of no rows. */
export const finished = (measure: Measure, row: PartialsRow | undefined): number | null => {
  const value = row === undefined ? measureOf(measure, []) : measured(measure, row)
  return value !== null && Number.isFinite(value) ? value : null
}
