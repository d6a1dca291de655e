import { dayMillis, hourMillis } from "../../domain/Durations.ts"
import type { Answer } from "../api/Wire.ts"
import type { CurveLine } from "./CurveLine.ts"
import type { Interval } from "./RetentionQuestion.ts"

export type RetentionSeries = Answer<"queries.retention">["series"][number]
type Value = RetentionSeries["cohorts"][number]["values"][number]

/** Milliseconds of the shortest interval of its kind: a day of the change of the clock, February. */
const shortest: Readonly<Record<Interval, number>> = {
  day: 23 * hourMillis,
  week: 7 * dayMillis - hourMillis,
  month: 28 * dayMillis - hourMillis
}

/** How a cell is shown: its number, its number so far, or not at all because its time has not come. */
export type CellState = "over" | "running" | "ahead"

/** The states of a row. After the intervals that are over one is running, if it has begun, and the others lie ahead. */
export const statesOf = (
  start: string,
  values: ReadonlyArray<Value>,
  interval: Interval,
  now: number
): ReadonlyArray<CellState> => {
  const open = values.findIndex(({ complete }) => !complete)
  return values.map((value, index) => {
    if (value.complete) return "over"
    // An interval begins as the one before is over; only of the first one nobody says when the row is.
    const hasBegun = index > 0 || Date.parse(start) + shortest[interval] <= now
    return index === open && hasBegun ? "running" : "ahead"
  })
}

/** The step of the ramp, 0 to 5: one for each ten percent up to fifty. */
export const heatOf = (rate: number): number => Math.max(0, Math.min(5, Math.floor(rate / 10)))

/** The average of all rows and the picked ones as lines; what is not over is left out. */
export const curveLines = (
  { cohorts, total }: RetentionSeries,
  picked: ReadonlyArray<string>,
  nameOf: (start: string) => string
): ReadonlyArray<CurveLine> => [
  {
    key: "average",
    name: "Average",
    color: null,
    rates: total.values.map(({ rate, size }) => (size === 0 ? null : rate))
  },
  ...picked.flatMap((start, color) => {
    const cohort = cohorts.find((each) => each.start === start)
    return cohort === undefined
      ? []
      : [
          {
            key: start,
            name: nameOf(start),
            color,
            rates: cohort.values.map(({ rate, complete }) => (complete && cohort.size > 0 ? rate : null))
          }
        ]
  })
]
