import { Link } from "wouter"
import { minuteMillis } from "../../domain/Durations.ts"
import { useBoards } from "../api/boards.ts"
import { useProject } from "../shell/Project.tsx"
import { loadable, skeleton } from "../ui/Loadable.tsx"
import { Skeleton } from "../ui/States.tsx"

const PinnedTiles = loadable(
  () => import("../boards/BoardTiles.tsx").then((chunk) => ({ default: chunk.BoardTiles })),
  skeleton()
)

/** The board that somebody pinned for everybody. */
export const Pinned = () => {
  const { applicationId, environment } = useProject()
  const boards = useBoards(applicationId)
  const board = boards.data?.items.find(({ pinned }) => pinned)
  const home = `/p/${applicationId}/${environment.alias}/boards`
  if (boards.data === undefined) return boards.error === null ? <Skeleton /> : <p>{boards.error.message}</p>
  if (board === undefined) {
    return (
      <section className="card" aria-label="Pinned board">
        <h2>Pinned board</h2>
        <p className="faint">
          The board that somebody pins stands here, for everybody in the project.{" "}
          <Link href={home}>Open the boards</Link>
        </p>
      </section>
    )
  }
  return (
    <section className="home-board" aria-label="Pinned board">
      <h2>
        <Link href={`${home}/${board.id}`}>{board.name}</Link>
      </h2>
      <PinnedTiles
        tiles={board.tiles.toSorted((one, other) => one.y - other.y || one.x - other.x)}
        time={board.time}
        every={5 * minuteMillis}
        onChange={null}
      />
    </section>
  )
}
