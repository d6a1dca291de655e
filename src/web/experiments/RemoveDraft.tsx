import { useMutation, useQueryClient } from "@tanstack/react-query"
import { call } from "../api/client.ts"
import type { AnyExperiment } from "../api/Started.ts"
import { useProject } from "../shell/Project.tsx"
import { ConfirmDialog } from "../ui/dialogs/ConfirmDialog.tsx"

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
      await client.invalidateQueries({ queryKey: ["experiments"] })
      onDone()
    }
  })
  return (
    <ConfirmDialog
      title={`Delete the draft “${name}”?`}
      action="Delete draft"
      cancel="Keep it"
      error={remove.error}
      isPending={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>No player is in it, and nothing depends on it. Nothing brings it back.</p>
    </ConfirmDialog>
  )
}
