import { Either } from "effect"
import type { Step } from "../../../src/domain/Calendar.ts"
import { type StoredEvent } from "../../../src/domain/analytics/markers/Event.ts"
import { unfiltered } from "../../../src/domain/analytics/filter/Filter.ts"
import { retention } from "../../../src/domain/analytics/retention/Retention.ts"
import type { Criterion, RetentionPlan, RetentionRow } from "../../../src/domain/analytics/retention/RetentionPlan.ts"
import { retentionPeriods } from "../../../src/domain/analytics/retention/RetentionTable.ts"
import { resolve } from "../../../src/domain/analytics/time/TimeRange.ts"
import { marker, named } from "./Markers.ts"

export const day = 86_400_000

export const origin = Date.parse("2024-05-05T00:00:00Z")

export interface Options extends Partial<RetentionPlan> {
  readonly from?: string
  readonly to?: string
  readonly step?: Step
  readonly zone?: string
  readonly now?: number
}

export const planOf = (criterion: Criterion, options: Options = {}): RetentionPlan => {
  const { from = "2024-05-05", to = "2024-05-08", step = "day", zone = "UTC", now = origin, ...more } = options
  const span = { from: Date.parse(from), to: Date.parse(to) }
  const time = Either.getOrThrow(resolve({ step, zone, weekStart: 0, span }, 0, 1000))
  return {
    start: named("play"),
    return: named("play"),
    filter: unfiltered,
    startMode: "recurring",
    criterion,
    window: "calendar",
    minimumOccurrences: 1,
    dateBy: "start",
    breakdowns: [],
    breakdownLimit: 25,
    ...retentionPeriods(time, { criterion, window: more.window ?? "calendar", dateBy: more.dateBy ?? "start" }, now),
    ...more
  }
}

export const on = (columns: number): Criterion => ({ type: "on", columns })

export const numbers = (rows: ReadonlyArray<RetentionRow>) =>
  rows.map(({ size, cells }) => [size].concat(cells.map(({ count }) => count)))

export const cells = (all: ReadonlyArray<StoredEvent>, plan: RetentionPlan) =>
  numbers(retention(all, plan).series[0]!.rows)

/** "u 0 1.5 3": unit u plays at these days after the origin. */
export const plays = (text: string): ReadonlyArray<StoredEvent> =>
  text
    .trim()
    .split("\n")
    .flatMap((line, i) => {
      const [unit, ...times] = line.trim().split(/\s+/)
      return times.map((at, j) => marker(i * 100 + j, unit!, "play", origin + Number(at) * day))
    })
