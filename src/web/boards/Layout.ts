/** Columns of a board. */
export const columns = 12

/** The sizes that the page offers. A program may have set others, which stay until somebody chooses. */
export const sizes = [
  { name: "small", label: "S", w: 3, h: 2 },
  { name: "medium", label: "M", w: 4, h: 4 },
  { name: "large", label: "L", w: 6, h: 4 },
  { name: "wide", label: "XL", w: 12, h: 5 }
] as const

export type SizeName = (typeof sizes)[number]["name"]

/** Columns and rows from the top left, from 0, and how many the tile takes. */
interface Place {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

/** The name of a tile's size; null where a program set one that the page does not offer. */
export const sizeOf = ({ w, h }: Pick<Place, "w" | "h">): SizeName | null =>
  sizes.find((size) => size.w === w && size.h === h)?.name ?? null

const overlaps = (one: Place, other: Place): boolean =>
  one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h

/** The first place, row by row and from the left, where a tile of that size lies on no other. */
const firstFree = (placed: ReadonlyArray<Place>, w: number, h: number): Pick<Place, "x" | "y"> => {
  const width = Math.min(w, columns)
  for (let y = 0; ; y++) {
    for (let x = 0; x + width <= columns; x++) {
      if (!placed.some((other) => overlaps({ x, y, w: width, h }, other))) return { x, y }
    }
  }
}

/** The tiles in reading order. */
export const inOrder = <T extends Place>(tiles: ReadonlyArray<T>): ReadonlyArray<T> =>
  [...tiles].sort((one, other) => one.y - other.y || one.x - other.x)

/** The tiles, each at the first place that those before it leave free. None lies on another, whatever sizes they have. */
export const packed = <T extends Place>(tiles: ReadonlyArray<T>): ReadonlyArray<T> => {
  const placed: Array<T> = []
  for (const tile of tiles) {
    const w = Math.min(tile.w, columns)
    placed.push({ ...tile, w, ...firstFree(placed, w, tile.h) })
  }
  return placed
}

/** The tiles with one of them at another place in the order; the same where there is no such place. */
export const movedTo = <T>(tiles: ReadonlyArray<T>, from: number, to: number): ReadonlyArray<T> => {
  const tile = tiles[from]
  if (tile === undefined || from === to || to < 0 || to >= tiles.length) return tiles
  const others = tiles.filter((_, index) => index !== from)
  return [...others.slice(0, to), tile, ...others.slice(to)]
}
