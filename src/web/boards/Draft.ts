import type { Board, Tile } from "../api/boards.ts"
import type { Shape } from "../ui/kept/Kept.ts"
import { inOrder, movedTo, packed, sizes } from "./Layout.ts"
import type { TileChange } from "./TileControls.tsx"

/** What of a board can be changed. Tiles stand in reading order. */
export type BoardDraft = Pick<Board, "name" | "description" | "tiles" | "time" | "pinned">

export const draftOf = ({ name, description, tiles, time, pinned }: Board): BoardDraft => ({
  name,
  description,
  tiles: inOrder(tiles),
  time,
  pinned
})

/** What somebody has made of a board and nobody else has got yet. */
export interface KeptDraft {
  readonly draft: BoardDraft
  /** When the board was changed last before that. */
  readonly basedOn: string
}

/** The name by which this browser keeps it. */
export const boardPlace = (boardId: string): string => `board-${boardId}`

export const boardShape: Shape<KeptDraft> = {
  version: 1,
  read: (kept) => (Array.isArray(kept.draft.tiles) ? kept : null)
}

const changed = (tiles: ReadonlyArray<Tile>, index: number, part: Partial<Tile>): ReadonlyArray<Tile> =>
  tiles.map((tile, each) => (each === index ? { ...tile, ...part } : tile))

const withChange = (tiles: ReadonlyArray<Tile>, index: number, change: TileChange): ReadonlyArray<Tile> => {
  switch (change.kind) {
    case "move":
      return movedTo(tiles, index, index + change.by)
    case "bring":
      return movedTo(tiles, change.from, index)
    case "size": {
      const size = sizes.find(({ name }) => name === change.size)
      return size === undefined ? tiles : changed(tiles, index, { w: size.w, h: size.h })
    }
    case "display":
      return changed(tiles, index, { display: change.display })
    case "time":
      return changed(tiles, index, { time: change.time })
    case "remove":
      return tiles.filter((_, each) => each !== index)
  }
}

/** The draft with one tile changed; all tiles move to where they then fit. */
export const withTile = (draft: BoardDraft, index: number, change: TileChange): BoardDraft => ({
  ...draft,
  tiles: packed(withChange(draft.tiles, index, change))
})

/** The draft with a question added at the first place that is free. */
export const withQuestion = (draft: BoardDraft, queryId: string): BoardDraft => {
  const { w, h } = sizes[2]
  return { ...draft, tiles: packed([...draft.tiles, { queryId, x: 0, y: 0, w, h, display: null, time: null }]) }
}
