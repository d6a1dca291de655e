import { useState } from "react"
import { useLocation } from "wouter"
import type { Board } from "../api/boards.ts"
import { useBoard, useChangeBoard, useRemoveBoard } from "../api/boards.ts"
import { isOutdated } from "../api/Failure.ts"
import { useAllSavedQueries } from "../api/savedQueries.ts"
import { typeWords } from "../saved/Kind.ts"
import { useProject } from "../shell/Project.tsx"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import { ConfirmDialog } from "../ui/dialogs/ConfirmDialog.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Picker } from "../ui/Picker.tsx"
import { ChangedMeanwhile } from "../ui/kept/ChangedMeanwhile.tsx"
import { noTime, rangeOf, timeChoices, timeOf } from "./BoardTime.ts"
import { BoardTiles } from "./BoardTiles.tsx"
import type { BoardDraft, KeptDraft } from "./Draft.ts"
import { draftOf, withQuestion, withTile } from "./Draft.ts"

interface Props {
  readonly board: Board
  /** What was changed before; null where this begins with the board as it is. */
  readonly kept: KeptDraft | null
  readonly onChange: (kept: KeptDraft) => void
  /** The board has it, or nobody wants it any more. */
  readonly onDone: () => void
}

/** A board being changed. Nobody else gets anything before Done, and nobody else's change is overwritten unseen. */
export const BoardEditor = ({ board, kept, onChange, onDone }: Props) => {
  const { applicationId, environment } = useProject()
  const [, navigate] = useLocation()
  const [begun] = useState(() => ({ draft: draftOf(board), basedOn: board.updatedAt }))
  const { draft, basedOn } = kept ?? begun
  const setDraft = (next: (before: BoardDraft) => BoardDraft) => onChange({ draft: next(draft), basedOn })
  const [isRemoving, setRemoving] = useState(false)
  const present = useBoard(applicationId, board.id)
  const change = useChangeBoard(applicationId, board.id)
  const remove = useRemoveBoard(applicationId)
  const saved = useAllSavedQueries(applicationId, null)
  const range = rangeOf(draft.time)
  const isConflict = isOutdated(change.error)
  // Who goes elsewhere before it is saved finds no draft of it either when they come back.
  const keep = (on: string) =>
    void change.mutateAsync({ ...draft, name: draft.name.trim(), basedOn: on }).then(onDone, () => undefined)
  const keepOver = async () => {
    const theirs = await present.refetch()
    if (theirs.data === undefined) return
    onChange({ draft, basedOn: theirs.data.updatedAt })
    keep(theirs.data.updatedAt)
  }
  const takeTheirs = async () => {
    await present.refetch()
    onDone()
  }
  const choices = (saved ?? []).map(({ id, name, queryType }) => ({
    value: id,
    label: name,
    hint: typeWords[queryType]
  }))
  return (
    <div className="page">
      <header className="page-head">
        <div className="board-words">
          <label className="field">
            Name
            <input
              value={draft.name}
              maxLength={100}
              onChange={({ target }) => setDraft((before) => ({ ...before, name: target.value }))}
            />
          </label>
          <label className="field">
            Description
            <input
              value={draft.description ?? ""}
              maxLength={255}
              onChange={({ target }) => setDraft((before) => ({ ...before, description: target.value || null }))}
            />
          </label>
        </div>
        <div className="row">
          <button type="button" className="button button-danger" onClick={() => setRemoving(true)}>
            <Icon name="trash" size={14} />
            Delete
          </button>
          <button type="button" className="button" onClick={onDone}>
            Cancel
          </button>
          <DeniableButton
            look="button-primary"
            denied={draft.name.trim() === "" ? "A board needs a name." : null}
            isBusy={change.isPending}
            onClick={() => keep(basedOn)}
          >
            Done
          </DeniableButton>
        </div>
      </header>
      {isConflict ? (
        <ChangedMeanwhile what="this board" onTheirs={() => void takeTheirs()} onMine={() => void keepOver()} />
      ) : (
        change.error !== null && (
          <p className="form-error" role="alert">
            {change.error.message}
          </p>
        )
      )}
      <div className="toolbar">
        <label className="field-inline">
          Time of the board
          <select
            className="select"
            value={range ?? "other"}
            onChange={({ target }) => {
              const time = target.value === noTime ? null : timeOf(target.value)
              if (target.value !== "other") setDraft((before) => ({ ...before, time }))
            }}
          >
            {range === null && <option value="other">As a program set it</option>}
            {timeChoices("Each its own time", range).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
        {choices.length === 0 && saved !== undefined ? (
          <span className="faint">Save a question first: then it can be put here.</span>
        ) : (
          <span className="board-add">
            <Picker
              label="Add a question"
              value=""
              placeholder="+ Add a question"
              choices={choices}
              onChoose={(queryId) => setDraft((before) => withQuestion(before, queryId))}
            />
          </span>
        )}
      </div>
      <BoardTiles
        tiles={draft.tiles}
        time={draft.time}
        every={false}
        onChange={(index, part) => setDraft((before) => withTile(before, index, part))}
      />
      {isRemoving && (
        <ConfirmDialog
          title={`Delete the board “${board.name}”?`}
          action="Delete"
          cancel="Keep it"
          error={remove.error}
          isPending={remove.isPending}
          onConfirm={() =>
            remove.mutate(board.id, {
              onSuccess: () => {
                onDone()
                navigate(`/p/${applicationId}/${environment.alias}/boards`)
              }
            })
          }
          onClose={() => setRemoving(false)}
        >
          <p>Its questions are kept. {board.pinned ? "It is the one on the first page of the project." : ""}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
