import type { BoardTime, Tile } from "../api/boards.ts"
import { TileCard } from "./TileCard.tsx"
import type { TileChange } from "./TileControls.tsx"
import "../theme/boards.css"

interface Props {
  /** In reading order. */
  readonly tiles: ReadonlyArray<Tile>
  readonly time: BoardTime
  readonly every: number | false
  readonly onChange: ((index: number, change: TileChange) => void) | null
}

/** The grid of a board. */
export const BoardTiles = ({ tiles, time, every, onChange }: Props) => {
  const seen = new Map<string, number>()
  return (
    <ol className="board">
      {tiles.map((tile, index) => {
        // A question may stand on a board more than once.
        const nth = (seen.get(tile.queryId) ?? 0) + 1
        seen.set(tile.queryId, nth)
        return (
          <TileCard
            key={`${tile.queryId} ${nth}`}
            tile={tile}
            index={index}
            count={tiles.length}
            time={time}
            every={every}
            onChange={onChange === null ? null : (change) => onChange(index, change)}
          />
        )
      })}
    </ol>
  )
}
