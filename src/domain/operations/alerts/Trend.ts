/** How a game grows or shrinks. */
export interface Trend {
  /** A week as a multiple of the week before; 1 where no trend is clear. */
  readonly growth: number
  /** The variance of the level that is expected so, as a part of its square. */
  readonly variance: number
}

const none: Trend = { growth: 1, variance: 0 }

/** A week has at most so much of the week before, and at least the inverse of it. */
const steepest = 2

/**
 * The growth of weeks, the newest first: a straight line through their logarithms by least squares, drawn one week further. As in Farrington's
 * method a trend counts only where it is clear: where each of three weeks or more is above, or each below, the one before it.
 */
export const trendOf = (weekly: ReadonlyArray<number>): Trend => {
  const weeks = weekly.length
  const steps = weekly.slice(1).map((earlier, index) => Math.sign(weekly[index]! - earlier))
  const [first] = steps
  if (weeks < 3 || first === 0 || steps.some((step) => step !== first) || weekly.some((value) => value <= 0))
    return none
  const logs = weekly.map(Math.log)
  const middle = (weeks - 1) / 2
  const mean = logs.reduce((sum, value) => sum + value, 0) / weeks
  let products = 0
  let squares = 0
  for (const [index, value] of logs.entries()) {
    products += (middle - index) * (value - mean)
    squares += (middle - index) ** 2
  }
  const limit = Math.log(steepest)
  const slope = Math.max(-limit, Math.min(limit, products / squares))
  const rest = logs.reduce((sum, value, index) => sum + (value - mean - slope * (middle - index)) ** 2, 0)
  return { growth: Math.exp(slope), variance: (rest / (weeks - 2)) * (1 / weeks + (middle + 1) ** 2 / squares) }
}
