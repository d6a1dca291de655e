import { Either } from "effect"
import type { Step } from "../../../src/domain/Calendar.ts"
import { type StoredEvent } from "../../../src/domain/analytics/markers/Event.ts"
import { unfiltered } from "../../../src/domain/analytics/filter/Filter.ts"
import { insight } from "../../../src/domain/analytics/insight/Insight.ts"
import type { InsightPlan, Measure } from "../../../src/domain/analytics/insight/InsightPlan.ts"
import { type TimeRange, resolve } from "../../../src/domain/analytics/time/TimeRange.ts"
import { named } from "./Markers.ts"

export const time = (from: string, to: string, step: Step = "day", zone = "UTC"): TimeRange =>
  Either.getOrThrow(
    resolve({ step, zone, weekStart: 0, span: { from: Date.parse(from), to: Date.parse(to) } }, 0, 10_000)
  )

export const planOf = (
  { range, buckets }: TimeRange,
  measures: ReadonlyArray<Measure>,
  more: Partial<InsightPlan> = {}
) => ({
  range,
  buckets,
  metrics: measures.map((measure, i) => ({ id: String.fromCharCode(65 + i), selector: named("play"), measure })),
  filter: unfiltered,
  breakdowns: [],
  breakdownLimit: 25,
  groups: null,
  cumulative: false,
  ...more
})

export const values = (all: ReadonlyArray<StoredEvent>, plan: InsightPlan) =>
  insight(all, plan).metrics.map(([points]) => points!)
