import { useMutation, useQueryClient } from "@tanstack/react-query"
import { call } from "../api/client.ts"
import type { AnyExperiment } from "../api/Started.ts"
import { useProject } from "../shell/Project.tsx"
import { FormDialog } from "../ui/FormDialog.tsx"
import { FormDialogEnd } from "../ui/FormDialogEnd.tsx"
import { draftKey, forgetDraft } from "./create/PlanDraft.ts"

interface Props {
  readonly record: AnyExperiment
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Asks before a draft is deleted, which cannot be undone. */
export const RemoveDraft = ({ record: { id, name }, onClose, onDone }: Props) => {
  const { applicationId, environmentId } = useProject()
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () =>
      call("experimentDrafts.remove", { path: { applicationId, experimentId: id }, environment: environmentId }),
    onSuccess: async () => {
      forgetDraft(draftKey(applicationId, environmentId, id))
      await client.invalidateQueries({ queryKey: ["experiments"] })
      onDone()
    }
  })
  return (
    <FormDialog title={`Delete the draft “${name}”?`} onClose={onClose} onSubmit={() => remove.mutate()}>
      <p>No player is in it, and nothing depends on it. Nothing brings it back.</p>
      <FormDialogEnd
        error={remove.error}
        submit="Delete draft"
        cancel="Keep it"
        isDangerous
        isDisabled={remove.isPending}
        onClose={onClose}
      />
    </FormDialog>
  )
}
