import type { DateTime } from "effect"
import type { ApplicationId, BoardId, QueryId, UserId } from "../../Ids.ts"

/** How a tile shows the answer of its query; null leaves it to whoever draws it. */
export type TileDisplay = "line" | "area" | "bars" | "totalBars" | "number" | "table"

/** A saved query on a board. Boards are 12 columns wide and as high as their tiles reach. */
export interface Tile {
  readonly queryId: QueryId
  /** Columns from the left, 0 to 11. */
  readonly x: number
  /** Rows from the top. */
  readonly y: number
  /** Width in columns; `x + w` is at most 12. */
  readonly w: number
  /** Height in rows. */
  readonly h: number
  readonly display: TileDisplay | null
  /** The time of this tile as JSON, in the form of the API; null where that of the board counts. */
  readonly time: string | null
}

/** A page of saved queries. */
export interface Board {
  readonly id: BoardId
  readonly applicationId: ApplicationId
  readonly name: string
  readonly description: string | null
  readonly tiles: ReadonlyArray<Tile>
  /** The time of all tiles as JSON, in the form of the API; null where each query keeps its own. */
  readonly time: string | null
  /** Whether it is the board of the project's first page. At most one is. */
  readonly pinned: boolean
  readonly createdBy: { readonly id: UserId; readonly email: string } | null
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

/** The board without the tiles of a query; the same board if it has none. */
export const withoutQuery = (board: Board, queryId: QueryId): Board => {
  const tiles = board.tiles.filter((tile) => tile.queryId !== queryId)
  return tiles.length === board.tiles.length ? board : { ...board, tiles }
}

/** Columns of every board. */
const columns = 12

type Place = Pick<Tile, "x" | "y" | "w" | "h">

const overlaps = (one: Place, other: Place): boolean =>
  one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h

/** The places (from 0) of the first two tiles that lie on each other; null if no tiles do. */
export const overlapIn = (tiles: ReadonlyArray<Place>): readonly [number, number] | null => {
  for (const [index, tile] of tiles.entries()) {
    const before = tiles.slice(0, index).findIndex((other) => overlaps(tile, other))
    if (before >= 0) return [before, index]
  }
  return null
}

/** Every tile that does not fit, and the first two that lie on each other. */
export const tileProblems = (tiles: ReadonlyArray<Place>): ReadonlyArray<string> => {
  const wide = tiles.flatMap(({ x, w }, at) =>
    x + w > columns ? [`tiles.${at}: x + w is ${x + w}, and a board has ${columns} columns`] : []
  )
  const overlap = overlapIn(tiles)
  return overlap === null ? wide : [...wide, `tiles.${overlap[1]}: it overlaps tiles.${overlap[0]}`]
}
