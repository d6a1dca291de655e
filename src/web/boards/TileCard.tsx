import type { DragEvent } from "react"
import { Link } from "wouter"
import type { BoardTime, Tile } from "../api/boards.ts"
import { ApiFailure } from "../api/Failure.ts"
import { useSavedQuery } from "../api/savedQueries.ts"
import { periodOf, periodWords } from "../builder/Period.ts"
import { pageOf } from "../saved/Kind.ts"
import { useProject } from "../shell/Project.tsx"
import { Failed, Skeleton } from "../ui/States.tsx"
import { rangeOf } from "./BoardTime.ts"
import { TileAnswer } from "./TileAnswer.tsx"
import type { TileChange } from "./TileControls.tsx"
import { TileControls } from "./TileControls.tsx"

interface Props {
  readonly tile: Tile
  /** Place in reading order, from 0, of so many tiles. */
  readonly index: number
  readonly count: number
  /** The time of the board, for a tile that has none of its own. */
  readonly time: BoardTime
  readonly every: number | false
  /** Null while the board is only looked at. */
  readonly onChange: ((change: TileChange) => void) | null
}

/** Pixels of a row of the board and of the gap between rows. */
const rowHeight = 84
const gap = 16
/** Pixels that name, rim and controls of a tile take. */
const frame = 70

/** A saved question on a board: its name leads to it, its answer stands below. */
export const TileCard = ({ tile, index, count, time, every, onChange }: Props) => {
  const { applicationId, environment } = useProject()
  const saved = useSavedQuery(applicationId, tile.queryId)
  const isGone = saved.error instanceof ApiFailure && saved.error.statusCode === 404
  const page = saved.data === undefined ? null : pageOf(saved.data.queryType)
  const href = page === null ? null : `/p/${applicationId}/${environment.alias}/${page}?q=${tile.queryId}`
  const name = saved.data?.name ?? (isGone ? "A deleted question" : "…")
  const height = tile.h * rowHeight + (tile.h - 1) * gap - frame
  const range = rangeOf(tile.time ?? time)
  const period = range === null ? null : periodOf(range)
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    onChange?.({ kind: "bring", from: Number(event.dataTransfer.getData("text/plain")) })
  }
  return (
    <li
      className={onChange === null ? "tile card" : "tile card tile-edited"}
      ref={(element) => {
        for (const [key, value] of [
          ["--x", tile.x + 1],
          ["--y", tile.y + 1],
          ["--w", tile.w],
          ["--h", tile.h]
        ] as const)
          element?.style.setProperty(key, String(value))
      }}
      draggable={onChange !== null}
      onDragStart={(event) => event.dataTransfer.setData("text/plain", String(index))}
      onDragOver={onChange === null ? undefined : (event) => event.preventDefault()}
      onDrop={onChange === null ? undefined : onDrop}
    >
      <header>
        <h2>{href === null || onChange !== null ? name : <Link href={href}>{name}</Link>}</h2>
        {period !== null && <span className="tag">{periodWords(period)}</span>}
      </header>
      {onChange !== null && (
        <TileControls
          tile={tile}
          name={name}
          index={index}
          count={count}
          isInsight={page === "insights"}
          onChange={onChange}
        />
      )}
      <div className="tile-body">
        {isGone ? (
          <p className="tile-nothing">
            The question was deleted.{" "}
            {onChange === null ? "Edit the board to take its tile away." : "Take its tile away."}
          </p>
        ) : saved.data === undefined ? (
          saved.error === null ? (
            <Skeleton height={height} />
          ) : (
            <Failed error={saved.error} retry={() => void saved.refetch()} />
          )
        ) : (
          <TileAnswer
            saved={saved.data}
            display={tile.display}
            time={tile.time ?? time}
            every={every}
            height={height}
            href={href}
          />
        )}
      </div>
    </li>
  )
}
