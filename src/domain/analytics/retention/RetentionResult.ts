import { DateTime } from "effect"
import { labelsOf } from "../insight/InsightResult.ts"
import type { RetentionAnswer, RetentionPlan } from "./RetentionPlan.ts"
import { retentionTable } from "./RetentionTable.ts"

/** The series of a retention result as of `now` (epoch ms). */
export const retentionSeries = (plan: RetentionPlan, answer: RetentionAnswer, now: number) =>
  answer.series.map((series) => {
    const { cohorts, total } = retentionTable(plan, series, now)
    return {
      breakdown: labelsOf(plan.breakdowns, series.group),
      cohorts: cohorts.map(({ start, size, values }) => ({ start: DateTime.unsafeMake(start), size, values })),
      total
    }
  })
