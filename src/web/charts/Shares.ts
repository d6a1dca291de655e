import type { DrawnSeries } from "./DrawnSeries.ts"

const wholeOf = (series: ReadonlyArray<DrawnSeries>, index: number): number =>
  series.reduce((whole, { values }) => whole + Math.max(0, values[index] ?? 0), 0)

/** Series with each value in percent of the sum of all of its bucket; no value where that sum is 0. Values before are left out. */
export const asShares = (series: ReadonlyArray<DrawnSeries>): ReadonlyArray<DrawnSeries> => {
  const wholes = (series[0]?.values ?? []).map((_, index) => wholeOf(series, index))
  return series.map((each) => ({
    ...each,
    before: null,
    values: each.values.map((value, index) => {
      const whole = wholes[index] ?? 0
      return value === null || whole === 0 ? null : (Math.max(0, value) / whole) * 100
    })
  }))
}

interface Drawable {
  readonly kind: "line" | "area" | "bars"
  readonly buckets: ReadonlyArray<string>
  readonly isStacked: boolean
  readonly isShare?: boolean
  readonly series: ReadonlyArray<DrawnSeries>
}

/**
 * The chart in a shape that shows all of its values: what is below 0 can stand upon nothing, so that bars stand side by side where a value is,
 * and areas become lines. So does an area over one bucket, which has no width.
 */
export const drawable = <A extends Drawable>(chart: A): A => {
  const isBelow = ({ isHidden, values }: DrawnSeries): boolean =>
    !isHidden && values.some((value) => value !== null && value < 0)
  const isPiled = chart.isShare === true || !chart.series.some(isBelow)
  const isArea = chart.kind === "area" && isPiled && chart.buckets.length > 1
  return {
    ...chart,
    isStacked: chart.isStacked && isPiled,
    kind: chart.kind === "area" && !isArea ? "line" : chart.kind
  }
}

export interface Band {
  readonly key: string
  readonly color: number | null
  /** Sum of the series below, of each bucket. */
  readonly from: ReadonlyArray<number>
  readonly to: ReadonlyArray<number>
}

/** Series upon each other, the first at the foot; what is missing or below 0 has no height. */
export const bandsOf = (series: ReadonlyArray<DrawnSeries>, count: number): ReadonlyArray<Band> => {
  const tops = Array.from({ length: count }, () => 0)
  return series.map(({ key, color, values }) => {
    const from = [...tops]
    const to = tops.map((top, index) => top + Math.max(0, values[index] ?? 0))
    tops.splice(0, count, ...to)
    return { key, color, from, to }
  })
}
