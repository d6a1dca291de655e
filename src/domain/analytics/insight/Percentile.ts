/**
 * Exact percentile by linear interpolation (type 7 of Hyndman and Fan 1996, the default of R, NumPy and spreadsheets).
 * `valueAt` gives the k-th smallest value, k from 0 to count - 1; `percentile` is 0..100. Null for no values.
 */
export const percentileAt = (valueAt: (index: number) => number, count: number, percentile: number): number | null => {
  if (count === 0) return null
  const position = ((count - 1) * percentile) / 100
  const index = Math.floor(position)
  const low = valueAt(index)
  if (index === position) return low
  const high = valueAt(index + 1)
  const part = position - index
  const gap = high - low
  return Number.isFinite(gap) ? low + gap * part : low * (1 - part) + high * part
}

/** `percentileAt` of values in any order. */
export const percentileOf = (values: ReadonlyArray<number>, percentile: number): number | null => {
  const sorted = Float64Array.from(values).sort()
  return percentileAt((index) => sorted[index]!, sorted.length, percentile)
}
