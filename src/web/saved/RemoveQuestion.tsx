import { useBoards } from "../api/boards.ts"
import { useRemoveSaved } from "../api/savedQueries.ts"
import { useProject } from "../shell/Project.tsx"
import { ConfirmDialog } from "../ui/dialogs/ConfirmDialog.tsx"
import type { SavedQuestion } from "./Kind.ts"

interface Props {
  readonly question: SavedQuestion
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Asks before a question is deleted, which cannot be undone, and names the boards that hold it. */
export const RemoveQuestion = ({ question, onClose, onDone }: Props) => {
  const { applicationId } = useProject()
  const boards = useBoards(applicationId)
  const remove = useRemoveSaved(applicationId)
  const holding = boards.data?.items.filter(({ tiles }) => tiles.some(({ queryId }) => queryId === question.id))
  const submit = () =>
    remove.mutate(question.id, {
      onSuccess: () => {
        onDone()
        onClose()
      }
    })
  return (
    <ConfirmDialog
      title={`Delete “${question.name}”?`}
      action="Delete"
      cancel="Keep it"
      error={remove.error}
      isPending={remove.isPending || (holding === undefined && boards.error === null)}
      onConfirm={submit}
      onClose={onClose}
    >
      {holding === undefined ? (
        <p className="faint">
          {boards.error === null ? "Looking for boards that hold it …" : "It is not known which boards hold it."}
        </p>
      ) : holding.length === 0 ? (
        <p>No board holds it. Its address will lead nowhere.</p>
      ) : (
        <>
          <p>Its address will lead nowhere, and these boards lose their tile:</p>
          <ul>
            {holding.map(({ id, name }) => (
              <li key={id}>{name}</li>
            ))}
          </ul>
        </>
      )}
    </ConfirmDialog>
  )
}
