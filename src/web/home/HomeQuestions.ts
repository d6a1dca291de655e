import { minuteMillis } from "../../domain/Durations.ts"
import type { BodyOf } from "../api/Endpoints.ts"
import type { Answer } from "../api/Wire.ts"
import { addDays } from "../builder/Days.ts"
import { dayOf, dayStart } from "../builder/Period.ts"
import type { Revenue } from "./Revenue.ts"

type Insight = BodyOf<"queries.insights">
export type Names = readonly [string, ...ReadonlyArray<string>]

/** A question names at most so many marker types. */
const mostNames = 50

/** Marker types that stand for any: the most frequent ones. Null while there is none. */
export const anyMarker = (types: Answer<"markers.types">): Names | null => {
  const [first, ...others] = types
    .filter(({ status }) => status !== "hidden")
    .toSorted((left, right) => right.count30d - left.count30d)
    .slice(0, mostNames)
    .map(({ name }) => name)
  return first === undefined ? null : [first, ...others]
}

/** Players of exactly the last minutes: a question of insights would begin with the hour in which they begin. */
export const activeBody = (marker: Names, minutes: number): BodyOf<"cohorts.execute"> => ({
  definition: {
    op: "and",
    children: [
      {
        type: "behaviour",
        marker,
        measure: "count",
        operator: "greaterThanOrEqual",
        value: 1,
        window: { last: minutes, unit: "minute" }
      }
    ]
  },
  limit: 0
})

/** Markers since the hour began in which it was five minutes ago. */
export const paceBody = (name: Names): Insight => ({
  time: { step: "hour", relative: { step: "minute", value: 5 } },
  metrics: [{ id: "markers", data: { type: "totalEvents", name } }]
})

/** How many markers came in each minute of the answer's time. */
export const paceOf = (answer: Answer<"queries.insights"> | undefined): number | null => {
  const markers = totalOf(answer, "markers")
  if (answer === undefined || markers === null) return null
  return markers / Math.max(1, (Date.parse(answer.time.to) - Date.parse(answer.time.from)) / minuteMillis)
}

/** Answers of today are asked again after so long; until then the question stays the same, and with it the answer in memory. */
const tick = 5 * minuteMillis

export interface HomeRange {
  readonly from: string
  readonly to: string
}

/** Today so far, or as many hours of a day so many days before. A day begins at midnight in the zone, whatever the clock does that day. */
export const sameHours = (now: number, timeZone: string, daysAgo: number): HomeRange => {
  const today = dayOf(now, timeZone)
  const passed = Math.max(minuteMillis, Math.floor((now - Date.parse(dayStart(today, timeZone))) / tick) * tick)
  const day = addDays(today, -daysAgo)
  const from = dayStart(day, timeZone)
  // A day of 25 hours is compared with a whole one, and not with the hour after it too.
  const end = Math.min(Date.parse(from) + passed, Date.parse(dayStart(day, timeZone, 1)))
  return { from, to: new Date(end).toISOString() }
}

/** Players, sessions and markers of a range, and revenue where it can be told. */
export const dayBody = (name: Names, revenue: Revenue | null, range: HomeRange): Insight => ({
  time: { step: "day", ...range },
  metrics: [
    { id: "players", data: { type: "uniqueUsers", name } },
    { id: "sessions", data: { type: "totalSessions", name } },
    { id: "markers", data: { type: "totalEvents", name } },
    ...(revenue === null
      ? []
      : [
          {
            id: "revenue",
            data: { type: "sum" as const, name: revenue.marker, argument: revenue.argument }
          }
        ])
  ]
})

/** Of the players who came for the first time on one of the last days: how many were back the day after. */
export const comeBackBody = (name: Names): BodyOf<"queries.retention"> => ({
  time: { step: "day", relative: { step: "day", value: 3 } },
  start: { name },
  return: { name },
  interval: "day",
  intervals: 1,
  startMode: "firstTime"
})

/** The number of a metric over the whole range; null where it has none. */
export const totalOf = (answer: Answer<"queries.insights"> | undefined, metricId: string): number | null =>
  answer?.series.find((series) => series.metricId === metricId)?.aggregate ?? null
