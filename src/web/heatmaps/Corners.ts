import type { Bounds } from "./Grid.ts"

/** A place of the image, as shares of its width and height from the upper left, and where it lies in the world. */
export interface Corner {
  readonly across: number
  readonly down: number
  readonly x: number
  readonly z: number
}

interface Heights {
  readonly low: number
  readonly high: number
}

/** Least distance of the two corners on the image, as a share of its sides. */
export const leastDistance = 0.02

/** The world at 0 and at 1 of an image's side, from two places on it. */
const ends = (at: number, other: number, world: number, otherWorld: number): readonly [number, number] => {
  const perSide = (otherWorld - world) / (other - at)
  const round = (value: number): number => Number(value.toPrecision(12))
  return [round(world - at * perSide), round(world + (1 - at) * perSide)]
}

/** Where the whole image lies in the world, from two of its places; null where these are too near each other to tell. */
export const boundsFrom = (first: Corner, second: Corner, { low, high }: Heights): Bounds | null => {
  if (Math.abs(first.across - second.across) < leastDistance) return null
  if (Math.abs(first.down - second.down) < leastDistance) return null
  if (first.x === second.x || first.z === second.z) return null
  const [x, toX] = ends(first.across, second.across, first.x, second.x)
  const [z, toZ] = ends(first.down, second.down, first.z, second.z)
  return { pointA: { x, y: low, z }, pointB: { x: toX, y: high, z: toZ } }
}

/** The two corners of the image itself, as its definition tells them. */
export const cornersOf = ({ pointA, pointB }: Bounds): readonly [Corner, Corner] => [
  { across: 0, down: 0, x: pointA.x, z: pointA.z },
  { across: 1, down: 1, x: pointB.x, z: pointB.z }
]

/** The lower and the higher of the two heights. */
export const heightsOf = ({ pointA, pointB }: Bounds): Heights => ({
  low: Math.min(pointA.y, pointB.y),
  high: Math.max(pointA.y, pointB.y)
})
