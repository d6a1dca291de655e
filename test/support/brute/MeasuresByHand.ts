import { FastCheck as fc } from "effect"
import { filters, selection } from "./Filters.ts"
import { formula } from "./Formulas.ts"
import { times } from "./LocalTime.ts"
import { numberIn, type Sent, sent } from "./Sent.ts"

const measure = fc.constantFrom(
  "totalEvents" as const,
  "uniqueUsers" as const,
  "dau" as const,
  "wau" as const,
  "mau" as const,
  "totalSessions" as const,
  "frequencyPerUser" as const,
  "frequencyPerSession" as const,
  "firstTimeUsers" as const,
  "sum" as const,
  "average" as const,
  "median" as const,
  "min" as const,
  "max" as const,
  "percentile" as const,
  "sumPerUser" as const,
  "averagePerUser" as const
)

export const metric = fc.record({ type: measure, selection, percentile: fc.constantFrom(0, 10, 33.3, 50, 95, 100) })

type Metric = typeof metric extends fc.Arbitrary<infer A> ? A : never

/** A question of two metrics and a formula over them, with the markers that it is asked about. */
export const asked = times.chain((time) =>
  fc.record({
    time: fc.constant(time),
    all: sent(time.origin, time.tick),
    metrics: fc.tuple(metric, metric),
    formula,
    filters,
    breakdowns: fc.subarray([
      { source: "argument" as const, name: "a" },
      { source: "property" as const, name: "p" }
    ]),
    breakdownLimit: fc.integer({ min: 1, max: 4 }),
    cumulative: fc.boolean(),
    movingAverage: fc.constantFrom(undefined, undefined, 1, 3),
    isCompared: fc.boolean()
  })
)

export type Asked = typeof asked extends fc.Arbitrary<infer A> ? A : never

const distinct = (values: ReadonlyArray<string | null>): number =>
  new Set(values.filter((value) => value !== null)).size

const total = (values: ReadonlyArray<number>): number => {
  let sum = 0
  for (const value of values) sum += value
  return sum
}

const divided = (one: number, by: number): number | null => (by === 0 ? null : one / by)

export const mean = (values: ReadonlyArray<number>): number | null => divided(total(values), values.length)

/** Type 7 of Hyndman and Fan: the value at the place (n - 1) p of the sorted values, between two of them in proportion. */
export const percentileByHand = (values: ReadonlyArray<number>, percent: number): number | null => {
  if (values.length === 0) return null
  const sorted = [...values].sort((one, two) => one - two)
  const place = ((sorted.length - 1) * percent) / 100
  const [below, above] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!]
  return below + (place - Math.floor(place)) * (above - below)
}

/** The measure of the markers of one bucket. */
export const measured = ({ type, percentile }: Metric, own: ReadonlyArray<Sent>): number | null => {
  const units = [...new Set(own.map(({ unit }) => unit).filter((unit) => unit !== null))]
  const numbersOf = (some: ReadonlyArray<Sent>) => some.map(({ a }) => numberIn(a)).filter((number) => number !== null)
  const numbers = numbersOf(own)
  switch (type) {
    case "totalEvents":
      return own.length
    case "uniqueUsers":
    case "firstTimeUsers":
    case "dau":
    case "wau":
    case "mau":
      return units.length
    case "totalSessions":
      return distinct(own.map(({ session }) => session))
    case "frequencyPerUser":
      return divided(own.length, units.length)
    case "frequencyPerSession":
      return divided(own.length, distinct(own.map(({ session }) => session)))
    case "sum":
      return total(numbers)
    case "average":
      return mean(numbers)
    case "median":
      return percentileByHand(numbers, 50)
    case "min":
      return percentileByHand(numbers, 0)
    case "max":
      return percentileByHand(numbers, 100)
    case "percentile":
      return percentileByHand(numbers, percentile)
    case "sumPerUser":
      return divided(total(numbers), units.length)
    case "averagePerUser":
      return mean(
        units
          .map((unit) => mean(numbersOf(own.filter((one) => one.unit === unit))))
          .filter((average) => average !== null)
      )
  }
}
