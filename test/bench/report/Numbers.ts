/** The middle one, or the upper of the two in the middle; NaN of nothing. */
export const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** The geometric mean, with which "twice as fast" and "half as fast" come to 1; NaN of nothing. */
export const geometric = (values: ReadonlyArray<number>): number =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length)

/** The time or ratio that so great a share of all stays within. */
export const quantile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN

/** Milliseconds that the work took. */
export const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** One round's figure of ours divided by that of the peer in the same round. */
export const ratios = (ours: ReadonlyArray<number>, peers: ReadonlyArray<number>): ReadonlyArray<number> =>
  ours.map((value, round) => value / (peers[round] ?? Number.NaN))

export interface Point {
  /** How many markers there were. */
  readonly size: number
  /** What was measured: milliseconds, bytes. */
  readonly cost: number
}

/** The exponent e of cost = size^e between two sizes: 1 is linear, 0 does not grow. */
export const exponentBetween = (from: Point, to: Point): number =>
  Math.log(to.cost / from.cost) / Math.log(to.size / from.size)

/** The exponents between each size and the next one. */
export const exponents = (points: ReadonlyArray<Point>): ReadonlyArray<number> =>
  points.slice(1).map((to, at) => exponentBetween(points[at] ?? to, to))

/** The exponent of the line that fits all sizes best (least squares of the logarithms); NaN of fewer than two sizes. */
export const fittedExponent = (points: ReadonlyArray<Point>): number => {
  const [xs, ys] = [points.map(({ size }) => Math.log(size)), points.map(({ cost }) => Math.log(cost))]
  const mean = (all: ReadonlyArray<number>) => all.reduce((sum, value) => sum + value, 0) / all.length
  const [x, y] = [mean(xs), mean(ys)]
  const covariance = xs.reduce((sum, each, at) => sum + (each - x) * ((ys[at] ?? 0) - y), 0)
  return covariance / xs.reduce((sum, each) => sum + (each - x) ** 2, 0)
}

/** A figure in as many digits as it is good for: 1,234, 12.3, 1.23. */
export const shown = (value: number): string => {
  if (!Number.isFinite(value)) return "—"
  const size = Math.abs(value)
  const digits = size >= 100 || Number.isInteger(value) ? 0 : size >= 10 ? 1 : 2
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits })
}
