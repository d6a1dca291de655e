import { bucketAt } from "../../analytics/time/Buckets.ts"
import { MomentTally } from "./Moments.ts"
import type { PlannedMetric, ScorecardAnswer, ScorecardPlan } from "./ScorecardPlan.ts"

/** How many numbers a metric has for each unit. */
const widthOf = (metric: PlannedMetric): number => (metric.type === "funnel" ? 1 : 2 * metric.amounts.length)

/** A unit's numbers for a metric of amounts: the amounts after its exposure, then those before. */
export type UnitValues = ArrayLike<number>

/** The exposed units by day and group. A cell stands for one day and group, and receives the units in it. */
export class Roster {
  private readonly plan: ScorecardPlan
  private readonly phases: ReadonlyArray<Array<number>>
  private readonly days = new Map<number, Array<number>>()
  private exposedUnits = 0
  private multiplyExposed = 0
  private firstExposedAt = Infinity

  constructor(plan: ScorecardPlan) {
    this.plan = plan
    this.phases = plan.phases.map(() => plan.groupIds.map(() => 0))
  }

  /** Adds a unit by its first exposure (epoch ms). Answers its cell; -1 if it does not count. */
  enrol(at: number, group: number, isMultiple: boolean): number {
    const { range, multipleExposure, phases, days, groupIds } = this.plan
    if (at < range.from || at >= range.to) return -1
    this.exposedUnits++
    if (isMultiple) this.multiplyExposed++
    if (isMultiple && multipleExposure === "exclude") return -1
    this.firstExposedAt = Math.min(this.firstExposedAt, at)
    const phase = this.phases[Math.max(0, bucketAt(phases, at))]
    if (phase !== undefined) phase[group]!++
    const day = Math.max(0, bucketAt(days, at))
    const known = this.days.get(day)
    if (known === undefined)
      this.days.set(
        day,
        groupIds.map((_, ordinal) => (ordinal === group ? 1 : 0))
      )
    else known[group]!++
    return day * groupIds.length + group
  }

  /**
   * Builds the answer. For each metric, `tally` must pass every unit's numbers, with its cell, to the function it
   * receives.
   */
  answer(
    tally: (metric: PlannedMetric, add: (cell: number, values: UnitValues, hasPrior: boolean) => void) => void
  ): ScorecardAnswer {
    const { plan } = this
    const groups = plan.groupIds.length
    const days = [...this.days.keys()].sort((a, b) => a - b)
    const places = new Map(days.map((day, place) => [day, place]))
    const tallies = plan.metrics.map((metric) => {
      const moments = new MomentTally(days.length * groups, widthOf(metric))
      tally(metric, (cell, values, hasPrior) => {
        const group = cell % groups
        moments.add(places.get((cell - group) / groups)! * groups + group, values, hasPrior)
      })
      return moments
    })
    return {
      exposedUnits: this.exposedUnits,
      multiplyExposed: this.multiplyExposed,
      firstExposedAt: days.length === 0 ? null : this.firstExposedAt,
      phases: this.phases,
      days: days.map((day, place) => ({
        day,
        exposures: this.days.get(day)!,
        metrics: tallies.map((moments) => plan.groupIds.map((_, group) => moments.of(place * groups + group)))
      }))
    }
  }
}
