import type { FunnelPlan, FunnelSeries, FunnelStepAnswer } from "./FunnelPlan.ts"

export interface FunnelTableStep extends FunnelStepAnswer {
  /** Percent of the previous mandatory step; 100 at the first. */
  readonly conversionFromPrevious: number
  /** Percent of the first step. */
  readonly conversionFromFirst: number
}

export interface FunnelTableBucket {
  /** Epoch ms. */
  readonly start: number
  readonly entered: number
  readonly converted: number
  /** Percent, rounded to two decimals. */
  readonly rate: number
  /** Whether the whole conversion window has passed for every attempt that began in the bucket. */
  readonly complete: boolean
}

export interface FunnelTable {
  readonly steps: ReadonlyArray<FunnelTableStep>
  /** Percent of the units at the first step that reached the last. */
  readonly overallConversion: number
  readonly overTime: ReadonlyArray<FunnelTableBucket>
}

const percent = (count: number, of: number): number => (of === 0 ? 0 : (100 * count) / of)

/** Percentages and completeness of one series as of `now` (epoch ms); a percentage of nothing is 0. */
export const funnelTable = (plan: FunnelPlan, series: FunnelSeries, now: number): FunnelTable => {
  const counts = series.steps.map(({ count }) => count)
  const first = counts[0] ?? 0
  const before = (step: number): number => {
    const previous = plan.steps.slice(0, step).findLastIndex(({ optional }) => !optional)
    return counts[Math.max(0, previous)] ?? 0
  }
  return {
    steps: series.steps.map((step, index) => ({
      ...step,
      conversionFromPrevious: percent(step.count, before(index)),
      conversionFromFirst: percent(step.count, first)
    })),
    overallConversion: percent(counts[counts.length - 1] ?? 0, first),
    overTime: series.overTime.map(({ entered, converted }, bucket) => ({
      start: plan.overTime?.boundaries[bucket] ?? 0,
      entered,
      converted,
      rate: Math.round(percent(converted, entered) * 100) / 100,
      complete: (plan.overTime?.boundaries[bucket + 1] ?? 0) + plan.window <= now
    }))
  }
}
