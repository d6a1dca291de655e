import type { Grid } from "./Grid.ts"

/** Weights of a bell curve that reaches `radius` cells to each side; they add up to 1. */
const bell = (radius: number): ReadonlyArray<number> => {
  const weights = Array.from({ length: 2 * radius + 1 }, (_, at) => Math.exp(-2 * ((at - radius) / radius) ** 2))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return weights.map((weight) => weight / sum)
}

/** One pass along rows (`step` 1) or columns (`step` the width); what lies beyond the edge counts as the edge. */
const pass = (values: Float64Array, length: number, step: number, weights: ReadonlyArray<number>): Float64Array => {
  const radius = (weights.length - 1) / 2
  const smooth = new Float64Array(values.length)
  for (let index = 0; index < values.length; index++) {
    const at = Math.floor(index / step) % length
    let sum = 0
    for (let offset = -radius; offset <= radius; offset++) {
      const near = Math.min(length - 1, Math.max(0, at + offset))
      sum += (weights[offset + radius] ?? 0) * (values[index + (near - at) * step] ?? 0)
    }
    smooth[index] = sum
  }
  return smooth
}

/** The grid with every value spread over `radius` cells around it; the same grid for 0. */
export const blurred = (grid: Grid, radius: number): Grid => {
  if (radius === 0) return grid
  const weights = bell(radius)
  const across = pass(grid.values, grid.columns, 1, weights)
  return { ...grid, values: pass(across, grid.rows, grid.columns, weights) }
}
