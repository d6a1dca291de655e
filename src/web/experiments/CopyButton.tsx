import { useMutation, useQueryClient } from "@tanstack/react-query"
import { call } from "../api/client.ts"
import { useProject } from "../shell/Project.tsx"
import { lacking } from "./ExperimentWords.ts"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import { useOnward } from "../url/useOnward.ts"

/** Makes a draft with everything that an experiment was begun with, and opens it. */
export const CopyButton = ({ experimentId }: { readonly experimentId: number }) => {
  const { applicationId, environmentId, environment, may } = useProject()
  const client = useQueryClient()
  const onward = useOnward()
  const isAllowed = may("experiments:write")
  const copying = useMutation({
    mutationFn: () =>
      call("experimentDrafts.copy", { path: { applicationId, experimentId }, environment: environmentId }),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: ["experiments"] })
      onward(`/p/${applicationId}/${environment.alias}/experiments/${id}`)
    }
  })
  return (
    <>
      <DeniableButton
        denied={isAllowed ? null : lacking}
        tip="A draft with everything but results"
        isBusy={copying.isPending}
        onClick={() => copying.mutate()}
      >
        Copy
      </DeniableButton>
      {copying.error !== null && (
        <span className="form-error" role="alert">
          {copying.error.message}
        </span>
      )}
    </>
  )
}
