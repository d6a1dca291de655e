import { useQueryClient } from "@tanstack/react-query"
import { useLocation } from "wouter"
import { isOutdated } from "../api/Failure.ts"
import { insisting } from "../api/useSaving.ts"
import { useSave } from "../api/savedQueries.ts"
import { useProject } from "../shell/Project.tsx"
import { ChangedMeanwhile } from "../ui/kept/ChangedMeanwhile.tsx"
import { FormDialog } from "../ui/dialogs/FormDialog.tsx"
import { FormDialogEnd } from "../ui/dialogs/FormDialogEnd.tsx"
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
  const client = useQueryClient()
  const save = useSave(applicationId)
  const onSuccess = (question: SavedQuestion) => {
    onClose()
    navigate(`${path}?q=${question.id}`, { replace: true })
  }
  const showTheirs = () => {
    void client.invalidateQueries({ queryKey: ["saved", applicationId] })
    if (saved !== null) navigate(`${path}?q=${saved.id}`)
    onClose()
  }
  const submit = (form: FormData) => {
    const changed = form.get("as") === "change" ? saved : null
    const body = { ...questionFieldsOf(form), ...definition }
    const asked = changed === null ? { id: null, body } : { id: changed.id, body, basedOn: changed.updatedAt }
    save.mutate(asked, { onSuccess })
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
      {isOutdated(save.error) && (
        <ChangedMeanwhile
          what="this question"
          isBusy={save.isPending}
          onTheirs={showTheirs}
          onMine={() => save.variables !== undefined && save.mutate(insisting(save.variables), { onSuccess })}
        />
      )}
      <FormDialogEnd
        error={isOutdated(save.error) ? null : save.error}
        submit="Save"
        isDisabled={save.isPending}
        onClose={onClose}
      />
    </FormDialog>
  )
}
