import { percentileAt } from "../../../../../domain/analytics/insight/Percentile.ts"
import {
  durationBetween,
  type TimeToConvert,
  type TimeToConvertPlan,
  timeToConvert
} from "../../../../../domain/analytics/funnel/TimeToConvert.ts"
import type {
  FunnelBucketAnswer,
  FunnelPlan,
  FunnelSeries,
  FunnelStepAnswer
} from "../../../../../domain/analytics/funnel/FunnelPlan.ts"
import type { Achieved } from "../../../../../domain/analytics/funnel/FunnelResults.ts"
import { countOf } from "../../../../../domain/analytics/time/Buckets.ts"
import { exactSumOf } from "../../read/ExactSums.ts"
import { OrderStatistic } from "../OrderStatistic.ts"

/**
 * Adds up the paths of units: how many reached each step, how long each took from its previous step, and over time how many entered and
 * converted.
 */
export class FunnelTally {
  private readonly counts: Float64Array
  private readonly durations: ReadonlyArray<Array<number>>

  private readonly between: TimeToConvertPlan | null
  private readonly betweenDurations: Array<number> = []

  /** By bucket. */
  private readonly entered: Float64Array
  private readonly converted: Float64Array

  constructor({ steps, timeToConvert: between, overTime }: FunnelPlan) {
    this.between = between ?? null
    this.counts = new Float64Array(steps.length)
    this.durations = steps.map(() => [])
    const buckets = overTime === null ? 0 : countOf(overTime)
    this.entered = new Float64Array(buckets)
    this.converted = new Float64Array(buckets)
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

  /** Adds the path of one unit that has reached the first steps, without a gap, at `times`. */
  addReached(reached: number, times: ArrayLike<number>): void {
    this.counts[0]!++
    for (let step = 1; step < reached; step++) {
      this.counts[step]!++
      this.durations[step]!.push(times[step]! - times[step - 1]!)
    }
    if (this.between === null) return
    const duration = durationBetween(this.between, (step) => (step < reached ? times[step] : null))
    if (duration !== null) this.betweenDurations.push(duration)
  }

  /** Adds what one unit achieved. */
  addAchieved({ times, buckets }: Achieved): void {
    let before: number | null = null
    for (let step = 0; step < times.length; step++) {
      const time = times[step]!
      if (time === null) continue
      this.counts[step]!++
      if (before !== null) this.durations[step]!.push(time - before)
      before = time
    }
    for (const [bucket, reached] of buckets) {
      if (reached === 0 || bucket < 0 || bucket >= this.entered.length) continue
      this.entered[bucket]!++
      if (reached === this.counts.length) this.converted[bucket]!++
    }
    if (this.between === null) return
    const duration = durationBetween(this.between, (step) => times[step])
    if (duration !== null) this.betweenDurations.push(duration)
  }

  /** What the answer says of the units that were added. */
  answer(): Omit<FunnelSeries, "group"> {
    return { steps: this.steps(), overTime: this.overTime(), ...this.timeToConvert() }
  }

  /** Times to convert, if they were asked for. */
  private timeToConvert(): { readonly timeToConvert?: TimeToConvert } {
    return this.between === null ? {} : { timeToConvert: timeToConvert(this.betweenDurations, this.between) }
  }

  private overTime(): ReadonlyArray<FunnelBucketAnswer> {
    return Array.from(this.entered, (entered, bucket) => ({ entered, converted: this.converted[bucket]! }))
  }

  private steps(): ReadonlyArray<FunnelStepAnswer> {
    return this.durations.map((all, step) => {
      const durations = Float64Array.from(all)
      const order = new OrderStatistic(durations)
      const median = percentileAt((k) => order.at(k), durations.length, 50)
      return {
        count: this.counts[step]!,
        averageSeconds: durations.length === 0 ? null : exactSumOf(durations) / durations.length / 1000,
        medianSeconds: median === null ? null : median / 1000
      }
    })
  }
}
