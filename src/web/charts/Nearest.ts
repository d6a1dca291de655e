import type { DrawnSeries } from "./DrawnSeries.ts"
import type { Frame } from "./Scale.ts"
import { valueY } from "./Scale.ts"

/** What a chart of values over time shows. */
export interface Drawn {
  readonly kind: "line" | "area" | "bars"
  readonly isStacked: boolean
  readonly series: ReadonlyArray<DrawnSeries>
  readonly frame: Frame
  readonly ticks: ReadonlyArray<number>
  /** The number of buckets. */
  readonly count: number
}

interface Found {
  readonly series: DrawnSeries
  /** Pixels from the top of the chart: where it stands, or its middle. */
  readonly y: number
  /** Half of its height. */
  readonly half: number
}

/** Where each series stands in a bucket. */
const placesIn = ({ kind, isStacked, series, frame, ticks }: Drawn, bucket: number): ReadonlyArray<Found> => {
  let below = 0
  return series.flatMap((each): ReadonlyArray<Found> => {
    const value = each.values[bucket]
    if (value === null || value === undefined) return []
    if (kind === "line" || (kind === "bars" && !isStacked))
      return [{ series: each, y: valueY(frame, value, ticks), half: 0 }]
    const bottom = valueY(frame, below, ticks)
    below += Math.max(0, value)
    const top = valueY(frame, below, ticks)
    return value > 0 ? [{ series: each, y: (top + bottom) / 2, half: (bottom - top) / 2 }] : []
  })
}

/** The series that stands nearest to a height in a bucket, or without a height the one with the highest value; null where none has any. */
export const nearestSeries = (drawn: Drawn, bucket: number, y: number | null): Found | null => {
  const distance = ({ series, y: own, half }: Found): number =>
    y === null ? -(series.values[bucket] ?? -Infinity) : Math.max(0, Math.abs(own - y) - half)
  return placesIn(drawn, bucket).reduce<Found | null>(
    (best, each) => (best === null || distance(each) < distance(best) ? each : best),
    null
  )
}
