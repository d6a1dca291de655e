import { dayMillis } from "../../domain/Durations.ts"
import { dayOf, dayStart } from "../builder/Period.ts"
import type { Usage } from "./CohortQueries.ts"

/** What became of a cohort on each of some days, the last of them today. */
export interface DailyHistory {
  /** Starts of the days as ISO text. */
  readonly buckets: ReadonlyArray<string>
  /** Members at the end of the day; null before the first computation. */
  readonly sizes: ReadonlyArray<number | null>
  readonly entered: ReadonlyArray<number>
  readonly left: ReadonlyArray<number>
}

const mostDays = 90

const dayAfter = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + dayMillis).toISOString().slice(0, 10)

const daysBetween = (first: string, last: string): ReadonlyArray<string> => {
  const days = [first]
  for (let day = first; day < last;) {
    day = dayAfter(day)
    days.push(day)
  }
  return days.slice(-mostDays)
}

/** Computations by day of the zone: a day without one keeps the size of the day before. */
export const dailyHistory = (history: Usage["history"], timeZone: string, now: number): DailyHistory => {
  const runs = history.map((run) => ({ ...run, day: dayOf(Date.parse(run.at), timeZone) }))
  const days = daysBetween(runs[0]?.day ?? dayOf(now, timeZone), dayOf(now, timeZone))
  const sumOn = (day: string, countOf: (run: Usage["history"][number]) => number) =>
    runs.reduce((sum, run) => (run.day === day ? sum + countOf(run) : sum), 0)
  return {
    buckets: days.map((day) => dayStart(day, timeZone)),
    sizes: days.map((day) => runs.findLast((run) => run.day <= day)?.memberCount ?? null),
    entered: days.map((day) => sumOn(day, ({ entered }) => entered)),
    left: days.map((day) => sumOn(day, ({ left }) => left))
  }
}
