import { useQueryClient } from "@tanstack/react-query"
import { isOutdated } from "../api/Failure.ts"
import { insisting } from "../api/useSaving.ts"
import { useSave } from "../api/savedQueries.ts"
import { useProject } from "../shell/Project.tsx"
import { ChangedMeanwhile } from "../ui/ChangedMeanwhile.tsx"
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
  const client = useQueryClient()
  const save = useSave(applicationId)
  const onSuccess = ({ name }: SavedQuestion) => {
    onDone(name)
    onClose()
  }
  const showTheirs = () => {
    void client.invalidateQueries({ queryKey: ["saved", applicationId] })
    onClose()
  }
  const submit = (form: FormData) => {
    const {
      id,
      listed,
      createdBy: _,
      createdAt: _at,
      updatedBy: _by,
      updatedAt: basedOn,
      lastRunAt: _run,
      starred: _star,
      ...asked
    } = question
    const fields = questionFieldsOf(form)
    save.mutate({ id, body: { ...asked, listed, ...fields }, basedOn }, { onSuccess })
  }
  return (
    <FormDialog title="Rename the question" onClose={onClose} onSubmit={submit}>
      <QuestionFields {...question} />
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
        submit="Rename"
        isDisabled={save.isPending}
        onClose={onClose}
      />
    </FormDialog>
  )
}
