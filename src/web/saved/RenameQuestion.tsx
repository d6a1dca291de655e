import { useSave } from "../api/savedQueries.ts"
import { useProject } from "../shell/Project.tsx"
import { FormDialog } from "../ui/FormDialog.tsx"
import type { SavedQuestion } from "./Kind.ts"

interface Props {
  readonly question: SavedQuestion
  readonly onClose: () => void
  readonly onDone: (name: string) => void
}

/** Gives a saved question another name and description; what it asks stays. */
export const RenameQuestion = ({ question, onClose, onDone }: Props) => {
  const { applicationId } = useProject()
  const save = useSave(applicationId)
  const submit = (form: FormData) => {
    const {
      id,
      listed,
      createdBy: _,
      createdAt: _at,
      updatedBy: _by,
      updatedAt: _on,
      lastRunAt: _run,
      starred: _star,
      ...asked
    } = question
    const name = String(form.get("name")).trim()
    save.mutate(
      {
        queryId: id,
        body: { ...asked, listed, name, description: String(form.get("description")).trim() || null }
      },
      {
        onSuccess: () => {
          onDone(name)
          onClose()
        }
      }
    )
  }
  return (
    <FormDialog title="Rename the question" onClose={onClose} onSubmit={submit}>
      <label className="field">
        Name
        <input name="name" required maxLength={100} defaultValue={question.name} />
      </label>
      <label className="field">
        Description
        <input name="description" maxLength={255} defaultValue={question.description ?? ""} />
      </label>
      {save.error !== null && (
        <p className="form-error" role="alert">
          {save.error.message}
        </p>
      )}
      <div className="form-dialog-end">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button type="submit" className="button button-primary" disabled={save.isPending}>
          Rename
        </button>
      </div>
    </FormDialog>
  )
}
