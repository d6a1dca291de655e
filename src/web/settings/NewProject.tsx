import { useProjectMaking } from "../api/useProjectMaking.ts"
import { fieldText } from "../text/Form.ts"
import { FormDialog } from "../ui/dialogs/FormDialog.tsx"
import { useChange } from "./AccessQueries.ts"
import { FormDialogEnd } from "../ui/dialogs/FormDialogEnd.tsx"
import { useOnward } from "../url/useOnward.ts"

interface Props {
  /** The organization that the project belongs to; null makes a new one for it. */
  readonly organizationId: number | null
  readonly onClose: () => void
}

interface Wanted {
  readonly organization: string
  readonly name: string
}

/** Makes a project, with an organization of its own where none is named, and leads to it. */
export const NewProject = ({ organizationId, onClose }: Props) => {
  const onward = useOnward()
  const make = useProjectMaking()
  const create = useChange(
    (wanted: Wanted) => make({ organizationId, ...wanted }),
    ["organizations"],
    ({ id }) => onward(`/p/${id}/production/setup`)
  )
  return (
    <FormDialog
      title={organizationId === null ? "New organization" : "New project"}
      onClose={onClose}
      onSubmit={(form) =>
        create.mutate({ organization: fieldText(form, "organization"), name: fieldText(form, "name") })
      }
    >
      {organizationId === null && (
        <label className="field">
          Name of the organization
          <input name="organization" required maxLength={100} autoComplete="off" />
        </label>
      )}
      <label className="field">
        {organizationId === null ? "Name of its first game" : "Name of the game"}
        <input name="name" required maxLength={100} autoComplete="off" />
      </label>
      <FormDialogEnd error={create.error} submit="Create" isDisabled={create.isPending} onClose={onClose} />
    </FormDialog>
  )
}
