import { useMutation, useQueryClient } from "@tanstack/react-query"
import { savedQueryQuery, useSave } from "../api/savedQueries.ts"
import { useProject } from "../shell/Project.tsx"
import { FormDialog } from "../ui/dialogs/FormDialog.tsx"
import { FormDialogEnd } from "../ui/dialogs/FormDialogEnd.tsx"
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
  const rename = useMutation({
    mutationFn: async (form: FormData) => {
      // Somebody may have changed what it asks since the list was read.
      const asked = { ...savedQueryQuery(applicationId, question.id), staleTime: 0, networkMode: "always" as const }
      const present = await client.fetchQuery(asked)
      const {
        id,
        listed,
        createdBy: _,
        createdAt: _at,
        updatedBy: _by,
        updatedAt,
        lastRunAt: _run,
        starred: _star,
        ...saved
      } = present
      // Another name or description is somebody else's, which the server refuses to write over.
      const isAsRead = present.name === question.name && present.description === question.description
      const basedOn = isAsRead ? updatedAt : question.updatedAt
      return save.mutateAsync({ id, body: { ...saved, listed, ...questionFieldsOf(form) }, basedOn })
    },
    onSuccess: ({ name }) => {
      onDone(name)
      onClose()
    }
  })
  return (
    <FormDialog title="Rename the question" onClose={onClose} onSubmit={rename.mutate}>
      <QuestionFields {...question} />
      <FormDialogEnd error={rename.error} submit="Rename" isDisabled={rename.isPending} onClose={onClose} />
    </FormDialog>
  )
}
