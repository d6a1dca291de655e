const factors = [1, 2, 2.5, 5, 10]

/** What is smaller is 0 to who looks at it, and too small to be divided. */
const negligible = 1e-290

/** Ticks of an axis are about as many. */
const wanted = 4

/**
 * Four or five round numbers from 0 up to the first that is not below `highest`; fewer where `isWhole` says that all are to be whole, as on
 * an axis of players, of whom there is no quarter.
 */
export const ticksUpTo = (highest: number, isWhole = false): ReadonlyArray<number> => {
  if (!(highest > negligible) || !Number.isFinite(highest)) return [0, 1]
  const raw = isWhole ? Math.max(1, highest / wanted) : highest / wanted
  const power = 10 ** Math.floor(Math.log10(raw))
  const fits = (factor: number) => raw / power <= factor + 1e-9 && (!isWhole || Number.isInteger(factor * power))
  const step = (factors.find(fits) ?? 10) * power
  const last = Math.ceil(highest / step - 1e-9)
  return Array.from({ length: last + 1 }, (_, index) => Number((index * step).toPrecision(12)))
}

/** Ticks around 0 for values of which some are below it. */
export const ticksBetween = (lowest: number, highest: number, isWhole = false): ReadonlyArray<number> => {
  if (lowest >= -negligible) return ticksUpTo(highest, isWhole)
  const upper = ticksUpTo(Math.max(highest, -lowest), isWhole)
  const step = (upper[1] ?? 1) - (upper[0] ?? 0)
  const below = Math.ceil(-lowest / step - 1e-9)
  const above = Math.max(0, Math.ceil(highest / step - 1e-9))
  return Array.from({ length: below + above + 1 }, (_, index) => Number(((index - below) * step).toPrecision(12)))
}

/** Powers of ten from the one below the smallest value that is above 0 up to the one above the greatest. */
export const powersBetween = (smallest: number, greatest: number): ReadonlyArray<number> => {
  if (!(smallest > negligible) || !Number.isFinite(smallest) || !Number.isFinite(greatest)) return [1, 10]
  const first = Math.floor(Math.log10(smallest) + 1e-9)
  const last = Math.max(first + 1, Math.ceil(Math.log10(greatest) - 1e-9))
  const every = Math.ceil((last - first) / 8)
  const count = Math.ceil((last - first) / every)
  return Array.from({ length: count + 1 }, (_, index) => Number((10 ** (first + index * every)).toPrecision(12)))
}

export interface Frame {
  /** Whether equal distances are equal factors; what is not above the first tick then stands at the foot. */
  readonly isLogarithmic?: boolean
  readonly width: number
  readonly height: number
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Where a bucket stands: buckets have the same distance, so that a day of 23 hours is as wide as any. One bucket is centred. */
export const bucketX = ({ width, left, right }: Frame, index: number, count: number): number =>
  left + (count < 2 ? (width - left - right) / 2 : (index / (count - 1)) * (width - left - right))

export const valueY = (
  { height, top, bottom, isLogarithmic }: Frame,
  value: number,
  ticks: ReadonlyArray<number>
): number => {
  const lowest = ticks.at(0) ?? 0
  const highest = ticks.at(-1) ?? 1
  const part =
    isLogarithmic === true
      ? Math.log(Math.max(value, lowest) / lowest) / Math.log(highest / lowest)
      : (value - lowest) / (highest - lowest)
  return top + (1 - part) * (height - top - bottom)
}

/** The bucket nearest to a place on the axis. */
export const bucketAt = ({ width, left, right }: Frame, x: number, count: number): number =>
  count < 2 ? 0 : Math.max(0, Math.min(count - 1, Math.round(((x - left) / (width - left - right)) * (count - 1))))

/** The path through the values of buckets `from` to `to`, both included; it breaks where there is no value. */
export const pathOf = (
  values: ReadonlyArray<number | null>,
  place: (index: number, value: number) => readonly [x: number, y: number],
  from = 0,
  to = values.length - 1
): string => {
  let path = ""
  let isDrawing = false
  for (let index = Math.max(0, from); index <= to; index++) {
    const value = values[index]
    if (value === null || value === undefined) {
      isDrawing = false
      continue
    }
    const [x, y] = place(index, value)
    path += `${isDrawing ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`
    isDrawing = true
  }
  return path
}

/** The buckets whose value has none beside it: a line cannot lead to it, so that it needs a mark of its own. */
export const lonely = (values: ReadonlyArray<number | null>): ReadonlyArray<number> => {
  const isThere = (index: number) => typeof values[index] === "number"
  return [...values.keys()].filter((index) => isThere(index) && !isThere(index - 1) && !isThere(index + 1))
}
