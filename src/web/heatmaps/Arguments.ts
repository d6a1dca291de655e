import type { Answer } from "../api/Wire.ts"
import { valueText } from "../text/Values.ts"
import type { Cells, Grid } from "./Grid.ts"

type Marker = Answer<"markers.raw">["items"][number]

/** An argument with its most frequent values. */
export interface TopArgument {
  readonly name: string
  readonly values: ReadonlyArray<readonly [value: string, count: number]>
}

/** Arguments and values of each that are told. */
const mostArguments = 4
const mostValues = 4

interface Heights {
  readonly low: number | null
  readonly high: number | null
}

const shareOf = (value: number, from: number, to: number): number => (to === from ? 0 : (value - from) / (to - from))

/** Whether a marker lies in the cells and between the heights. */
export const isInside = (
  { columns, rows, bounds: { pointA, pointB } }: Grid,
  { left, top, right, bottom }: Cells,
  { low, high }: Heights,
  position: Marker["position"]
): boolean => {
  if (position === null) return false
  const [x, y, z] = position
  const [across, down] = [shareOf(x, pointA.x, pointB.x), shareOf(z, pointA.z, pointB.z)]
  if (across < 0 || across > 1 || down < 0 || down > 1) return false
  if (y < Math.min(pointA.y, pointB.y) || y > Math.max(pointA.y, pointB.y)) return false
  if ((low !== null && y < low) || (high !== null && y > high)) return false
  const column = Math.min(columns - 1, Math.floor(across * columns))
  const row = Math.min(rows - 1, Math.floor(down * rows))
  return column >= left && column <= right && row >= top && row <= bottom
}

/** The arguments that tell most of the markers: those whose most frequent value is the most frequent. */
export const topArguments = (markers: ReadonlyArray<Marker>): ReadonlyArray<TopArgument> => {
  const counts = new Map<string, Map<string, number>>()
  for (const marker of markers) {
    for (const [name, value] of Object.entries(marker.arguments)) {
      const own = counts.get(name) ?? new Map<string, number>()
      const text = valueText(value)
      own.set(text, (own.get(text) ?? 0) + 1)
      counts.set(name, own)
    }
  }
  return [...counts]
    .map(([name, own]) => ({ name, values: [...own].sort((a, b) => b[1] - a[1]).slice(0, mostValues) }))
    .sort((a, b) => (b.values[0]?.[1] ?? 0) - (a.values[0]?.[1] ?? 0))
    .slice(0, mostArguments)
}
