import type { Deeplink } from "../api/deeplinks.ts"
import { useRemoveDeeplink, useWholeDeeplink } from "../api/deeplinks.ts"
import { useProject } from "../shell/Project.tsx"
import { countText } from "../text/Numbers.ts"
import { ConfirmDialog } from "../ui/dialogs/ConfirmDialog.tsx"

interface Props {
  readonly link: Deeplink
  readonly onClose: () => void
  readonly onRemoved: () => void
}

/** Asks before a link is deleted, which cannot be undone, and says what goes with it. */
export const RemoveDeeplink = ({ link, onClose, onRemoved }: Props) => {
  const { applicationId } = useProject()
  const remove = useRemoveDeeplink(applicationId)
  // The page counts the conversions of one environment; those of all go.
  const { clicks, conversions } = useWholeDeeplink(applicationId, link.id).data ?? link
  return (
    <ConfirmDialog
      title={`Delete “${link.name}”?`}
      action="Delete"
      cancel="Keep it"
      error={remove.error}
      isPending={remove.isPending}
      onConfirm={() => remove.mutate(link.id, { onSuccess: onRemoved })}
      onClose={onClose}
    >
      <p>
        {countText(clicks, "click")} and {countText(conversions, "conversion")} go with it, and whoever follows the link
        gets no further. There is no way back. Switch it off to keep its numbers.
      </p>
    </ConfirmDialog>
  )
}
