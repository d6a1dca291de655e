/** Fewer values are sorted as they are. */
const fewValues = 64
const valuesPerBucket = 4
/** Up to this many values of a bucket are put in order by insertion. */
const insertedValues = 24

const insert = (values: Float64Array, from: number, to: number): void => {
  for (let end = from + 1; end < to; end++) {
    const value = values[end]!
    let at = end
    for (; at > from && values[at - 1]! > value; at--) values[at] = values[at - 1]!
    values[at] = value
  }
}

/** The numbers among `values`, in their order, and the least and the largest of them. */
const present = (values: Float64Array) => {
  const kept = new Float64Array(values.length)
  let [count, least, most] = [0, Infinity, -Infinity]
  for (let at = 0; at < values.length; at++) {
    const value = values[at]!
    if (Number.isNaN(value)) continue
    kept[count++] = value
    if (value < least) least = value
    if (value > most) most = value
  }
  return { values: count === values.length ? kept : kept.slice(0, count), least, most }
}

/** The numbers among `all`, sorted; NaN is left out. They are first counted into many buckets by size, which then need little sorting. */
export const sortedNumbers = (all: Float64Array): Float64Array => {
  const { values, least, most } = present(all)
  if (values.length <= fewValues) return values.sort()
  const buckets = Math.ceil(values.length / valuesPerBucket)
  const scale = (buckets - 1) / (most - least)
  if (!Number.isFinite(scale) || scale === 0) return values.sort()
  const places = new Uint32Array(values.length)
  const ends = new Uint32Array(buckets + 1)
  for (let at = 0; at < values.length; at++) {
    const bucket = ((values[at]! - least) * scale) | 0
    places[at] = bucket
    ends[bucket + 1]!++
  }
  for (let bucket = 0; bucket < buckets; bucket++) ends[bucket + 1]! += ends[bucket]!
  const sorted = new Float64Array(values.length)
  for (let at = 0; at < values.length; at++) sorted[ends[places[at]!]!++] = values[at]!
  for (let bucket = 0, from = 0; bucket < buckets; bucket++) {
    const to = ends[bucket]!
    if (to - from > insertedValues) sorted.subarray(from, to).sort()
    else insert(sorted, from, to)
    from = to
  }
  return sorted
}

/** The place of the first value of the window `[from, to)` that is not below `value`, or with `above` the first above it. */
const placeOf = (run: Float64Array, from: number, to: number, value: number, above: boolean): number => {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (run[middle]! < value || (above && run[middle] === value)) low = middle + 1
    else high = middle
  }
  return low
}

interface Window {
  readonly run: Float64Array
  readonly from: number
  readonly to: number
}

/** The middle value of the windows' middle values, each weighted by the length of its window. */
const pivotOf = (windows: ReadonlyArray<Window>): number => {
  const middles = windows
    .map(({ run, from, to }) => ({ value: run[(from + to) >>> 1]!, weight: to - from }))
    .sort((a, b) => a.value - b.value)
  let left = middles.reduce((sum, { weight }) => sum + weight, 0) / 2
  for (const { value, weight } of middles) if ((left -= weight) <= 0) return value
  return middles[middles.length - 1]?.value ?? 0
}

/**
 * The k-th smallest value, k from 0, of several sorted runs together. Each look narrows every run around a value that at
 * least a quarter of what is left lies on either side of.
 */
export const valueInRuns = (runs: ReadonlyArray<Float64Array>, place: number): number => {
  let windows: ReadonlyArray<Window> = runs.map((run) => ({ run, from: 0, to: run.length }))
  let k = place
  for (;;) {
    windows = windows.filter(({ from, to }) => from < to)
    const [only] = windows
    if (only !== undefined && windows.length === 1) return only.run[only.from + k]!
    const pivot = pivotOf(windows)
    const lows = windows.map(({ run, from, to }) => placeOf(run, from, to, pivot, false))
    const below = windows.reduce((sum, { from }, at) => sum + lows[at]! - from, 0)
    if (k < below) {
      windows = windows.map(({ run, from }, at) => ({ run, from, to: lows[at]! }))
      continue
    }
    const highs = windows.map(({ run, to }, at) => placeOf(run, lows[at]!, to, pivot, true))
    const upTo = windows.reduce((sum, { from }, at) => sum + highs[at]! - from, 0)
    if (k < upTo) return pivot
    windows = windows.map(({ run, to }, at) => ({ run, from: highs[at]!, to }))
    k -= upTo
  }
}
