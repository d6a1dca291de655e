import { useSave } from "../api/savedQueries.ts"
import { useProject } from "../shell/Project.tsx"
import { FormDialog } from "../ui/FormDialog.tsx"
import { FormDialogEnd } from "../ui/FormDialogEnd.tsx"
import type { SavedQuestion } from "./Kind.ts"
import { QuestionFields, questionFieldsOf } from "./QuestionFields.tsx"

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
    const fields = questionFieldsOf(form)
    save.mutate(
      {
        id,
        body: { ...asked, listed, ...fields }
      },
      {
        onSuccess: () => {
          onDone(fields.name)
          onClose()
        }
      }
    )
  }
  return (
    <FormDialog title="Rename the question" onClose={onClose} onSubmit={submit}>
      <QuestionFields {...question} />
      <FormDialogEnd error={save.error} submit="Rename" isDisabled={save.isPending} onClose={onClose} />
    </FormDialog>
  )
}
