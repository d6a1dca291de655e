import { DateTime } from "effect"
import type { FunnelAnswer, FunnelPlan, FunnelUnit } from "./FunnelPlan.ts"
import { funnelTable } from "./FunnelTable.ts"
import { type GroupLabel, labelsOf } from "../insight/InsightResult.ts"

interface NamedStep {
  readonly id: string
  readonly name: string | readonly [string, ...ReadonlyArray<string>]
}

/** The series of a funnel's result as of `now` (epoch ms), with the steps named as in the query. */
export const funnelSeries = (plan: FunnelPlan, steps: ReadonlyArray<NamedStep>, answer: FunnelAnswer, now: number) =>
  answer.series.map((series) => {
    const breakdown: ReadonlyArray<GroupLabel> = labelsOf(plan.breakdowns, series.group)
    const table = funnelTable(plan, series, now)
    const overTime = table.overTime.map(({ start, ...bucket }) => ({ bucket: DateTime.unsafeMake(start), ...bucket }))
    return {
      breakdown,
      steps: steps.flatMap(({ id, name }, index) => {
        const step = table.steps[index]
        return step === undefined ? [] : [{ id, name, ...step }]
      }),
      overallConversion: table.overallConversion,
      ...(plan.overTime === null ? {} : { overTime }),
      ...(series.timeToConvert === undefined ? {} : { timeToConvert: series.timeToConvert })
    }
  })

/** Cuts a page out of `limit` + 1 units; the extra one tells whether another page follows. */
export const funnelUnitPage = (units: ReadonlyArray<FunnelUnit>, limit: number) => {
  const items = units.slice(0, limit).map(({ unitId, times }) => ({
    unitId,
    times: times.map((time) => (time === null ? null : DateTime.unsafeMake(time)))
  }))
  return { items, nextCursor: units.length > limit ? (items.at(-1)?.unitId ?? null) : null }
}
