import type { ReactNode } from "react"
import { useState } from "react"
import { useLocation, useSearch } from "wouter"
import type { Board, BoardTime } from "../api/boards.ts"
import { useBoard, useChangeBoard } from "../api/boards.ts"
import { ApiFailure, isOutdated } from "../api/Failure.ts"
import { UnansweredPage } from "../shell/UnansweredPage.tsx"
import { MissingPage } from "../shell/MissingPage.tsx"
import { useProject } from "../shell/Project.tsx"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import { Icon } from "../ui/Icon.tsx"
import { KeptNotice } from "../ui/kept/KeptNotice.tsx"
import { Empty } from "../ui/States.tsx"
import { useKept } from "../ui/kept/useKept.ts"
import { BoardEditor } from "./BoardEditor.tsx"
import { noTime, rangeOf, timeChoices, timeOf } from "./BoardTime.ts"
import { BoardTiles } from "./BoardTiles.tsx"
import { boardPlace, boardShape } from "./Draft.ts"
import { inOrder } from "./Layout.ts"
import { usePresentation } from "./usePresentation.ts"
import { deniedText } from "../text/Denied.ts"

/** Seconds after which a board asks again. */
const refreshes = [
  ["0", "No refresh"],
  ["60", "Every minute"],
  ["300", "Every 5 minutes"]
] as const

const refusal = deniedText("queries:write")

const meanwhile = "Somebody else has changed this board meanwhile. What you see now is how it stands."

interface LookProps {
  readonly board: Board
  readonly onEdit: () => void
  /** Stands above the tiles. */
  readonly children: ReactNode
}

/** Looking at a board: a time for all tiles and a refresh may be chosen without changing the board. */
const Look = ({ board, onEdit, children }: LookProps) => {
  const { applicationId, may } = useProject()
  const [path, navigate] = useLocation()
  const parameters = new URLSearchParams(useSearch())
  const [place, isPresented, present] = usePresentation()
  const { refetch } = useBoard(applicationId, board.id)
  const pin = useChangeBoard(applicationId, board.id)
  const range = parameters.get("range")
  const every = Number(parameters.get("every") ?? 0)
  const time: BoardTime = range === null ? board.time : range === noTime ? null : (timeOf(range) ?? board.time)
  const shownRange = range ?? rangeOf(board.time)
  const isAllowed = may("queries:write")
  const set = (name: string, value: string | null) => {
    if (value === null) parameters.delete(name)
    else parameters.set(name, value)
    navigate(parameters.size === 0 ? path : `${path}?${parameters.toString()}`, { replace: true })
  }
  const { name, description, tiles, pinned, updatedAt } = board
  return (
    <div className={isPresented ? "page board-presented" : "page"} ref={place}>
      <header className="page-head">
        <div>
          <h1>{name}</h1>
          {description !== null && <p>{description}</p>}
        </div>
        <div className="row">
          <select
            className="select"
            aria-label="Time of the board"
            value={shownRange ?? "other"}
            onChange={({ target }) => set("range", target.value === rangeOf(board.time) ? null : target.value)}
          >
            {shownRange === null && <option value="other">As a program set it</option>}
            {timeChoices("Each its own time", shownRange).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
          <select
            className="select"
            aria-label="Refresh"
            value={String(every)}
            onChange={({ target }) => set("every", target.value === "0" ? null : target.value)}
          >
            {refreshes.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
          <button type="button" className="button button-small" onClick={present}>
            <Icon name={isPresented ? "cross" : "full"} size={14} />
            {isPresented ? "End presentation" : "Present"}
          </button>
          {!isPresented && (
            <>
              <DeniableButton
                denied={isAllowed ? null : refusal}
                look={pinned ? "button-small button-pinned" : "button-small"}
                tip="The pinned board is shown on the first page of the project"
                isPressed={pinned}
                isBusy={pin.isPending}
                onClick={() =>
                  pin.mutate(
                    { name, description, tiles, time: board.time, pinned: !pinned, basedOn: updatedAt },
                    // Pressed again, it would be refused again: the board on the page is not the present one.
                    { onError: () => void refetch() }
                  )
                }
              >
                <Icon name="pin" size={14} />
                {pinned ? "Pinned" : "Pin"}
              </DeniableButton>
              <DeniableButton denied={isAllowed ? null : refusal} look="button-small" onClick={onEdit}>
                <Icon name="pencil" size={14} />
                Edit
              </DeniableButton>
            </>
          )}
        </div>
      </header>
      {!isPresented && children}
      {pin.error !== null && (
        <p className="form-error" role="alert">
          {isOutdated(pin.error) ? meanwhile : pin.error.message}
        </p>
      )}
      {tiles.length === 0 ? (
        <section className="card">
          <Empty
            title="Nothing is on this board yet"
            action={
              <DeniableButton denied={isAllowed ? null : refusal} look="button-primary" onClick={onEdit}>
                Add a question
              </DeniableButton>
            }
          >
            A board shows answers of saved questions side by side.
          </Empty>
        </section>
      ) : (
        <BoardTiles tiles={inOrder(tiles)} time={time} every={every > 0 ? every * 1000 : false} onChange={null} />
      )}
    </div>
  )
}

/** One board, looked at or edited. */
export const BoardPage = ({ boardId }: { readonly boardId: string }) => {
  const { applicationId } = useProject()
  const { data, error, refetch } = useBoard(applicationId, boardId)
  const [isEdited, setEdited] = useState(false)
  const { draft, wasKept, change, discard } = useKept(boardPlace(boardId), boardShape)
  if (data === undefined) {
    // What is no id of a board is refused, and not looked for.
    if (!(error instanceof ApiFailure && [400, 404].includes(error.statusCode))) {
      return <UnansweredPage error={error} retry={() => void refetch()} />
    }
    return (
      <MissingPage title="This board is not there any more" list="boards">
        Somebody may have deleted it. Its questions are kept.
      </MissingPage>
    )
  }
  return isEdited ? (
    <BoardEditor
      board={data}
      kept={draft}
      onChange={(next) => change(() => next)}
      onDone={() => {
        discard()
        setEdited(false)
      }}
    />
  ) : (
    <Look board={data} onEdit={() => setEdited(true)}>
      {wasKept && (
        <KeptNotice what="What you changed of this board" onDiscard={discard}>
          <button type="button" className="button button-small" onClick={() => setEdited(true)}>
            Go on with it
          </button>{" "}
        </KeptNotice>
      )}
    </Look>
  )
}
