import { percentileOf } from "../../../../domain/analytics/insight/Percentile.ts"
import { exactSum } from "../../../../domain/analytics/insight/Sum.ts"
import {
  durationBetween,
  type TimeToConvert,
  type TimeToConvertPlan,
  timeToConvert
} from "../../../../domain/analytics/funnel/TimeToConvert.ts"
import type { FunnelStepAnswer } from "../../../../domain/analytics/funnel/FunnelPlan.ts"

/** Adds up the paths of units: how many reached each step, and how long each took from its previous step. */
export class FunnelTally {
  private readonly counts: Float64Array
  private readonly durations: ReadonlyArray<Array<number>>

  private readonly between: TimeToConvertPlan | null
  private readonly betweenDurations: Array<number> = []

  constructor(steps: number, between: TimeToConvertPlan | null = null) {
    this.between = between
    this.counts = new Float64Array(steps)
    this.durations = Array.from({ length: steps }, () => [])
  }

  /**
   * Adds one unit's path. `markers` holds an index into `times` for each step, -1 for a step that is not on the path.
   */
  add(times: ArrayLike<number>, markers: ArrayLike<number>): void {
    let before = -1
    for (let step = 0; step < markers.length; step++) {
      const marker = markers[step]!
      if (marker < 0) continue
      this.counts[step]!++
      if (before >= 0) this.durations[step]!.push(times[marker]! - times[before]!)
      before = marker
    }
    if (this.between === null) return
    const duration = durationBetween(this.between, (step) => (markers[step]! < 0 ? null : times[markers[step]!]))
    if (duration !== null) this.betweenDurations.push(duration)
  }

  /** Times to convert, if they were asked for. */
  timeToConvert(): { readonly timeToConvert?: TimeToConvert } {
    return this.between === null ? {} : { timeToConvert: timeToConvert(this.betweenDurations, this.between) }
  }

  /** Adds a unit to `step`. `duration` is the time in ms since its previous step, null for the first. */
  addStep(step: number, duration: number | null): void {
    this.counts[step]!++
    if (duration !== null) this.durations[step]!.push(duration)
  }

  steps(): ReadonlyArray<FunnelStepAnswer> {
    return this.durations.map((durations, step) => {
      const median = percentileOf(durations, 50)
      return {
        count: this.counts[step]!,
        averageSeconds: durations.length === 0 ? null : exactSum(durations) / durations.length / 1000,
        medianSeconds: median === null ? null : median / 1000
      }
    })
  }
}
