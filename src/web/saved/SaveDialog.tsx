import { useLocation } from "wouter"
import { useSave } from "../api/savedQueries.ts"
import { useProject } from "../shell/Project.tsx"
import { FormDialog } from "../ui/FormDialog.tsx"
import { FormDialogEnd } from "../ui/FormDialogEnd.tsx"
import type { Definition, SavedQuestion } from "./Kind.ts"
import { nameFrom } from "./Kind.ts"
import { QuestionFields, questionFieldsOf } from "./QuestionFields.tsx"

interface Props {
  readonly definition: Definition
  readonly sentence: string
  /** The saved question that was opened; null where the question is new. */
  readonly saved: SavedQuestion | null
  readonly onClose: () => void
}

/** Names a question and keeps it: as a new one, or over the one that was opened. */
export const SaveDialog = ({ definition, sentence, saved, onClose }: Props) => {
  const { applicationId } = useProject()
  const [path, navigate] = useLocation()
  const save = useSave(applicationId)
  const submit = (form: FormData) => {
    const id = form.get("as") === "change" ? (saved?.id ?? null) : null
    save.mutate(
      {
        id,
        body: { ...questionFieldsOf(form), ...definition }
      },
      {
        onSuccess: (question) => {
          onClose()
          navigate(`${path}?q=${question.id}`, { replace: true })
        }
      }
    )
  }
  return (
    <FormDialog title="Save the question" onClose={onClose} onSubmit={submit}>
      <QuestionFields name={saved?.name ?? nameFrom(sentence)} description={saved?.description ?? null} />
      {saved !== null && (
        <fieldset className="save-as">
          <legend className="unseen">Save as</legend>
          <label className="check">
            <input type="radio" name="as" value="change" defaultChecked />
            Change “{saved.name}” for everybody and on every board
          </label>
          <label className="check">
            <input type="radio" name="as" value="new" />
            Save as a new question
          </label>
        </fieldset>
      )}
      <FormDialogEnd error={save.error} submit="Save" isDisabled={save.isPending} onClose={onClose} />
    </FormDialog>
  )
}
