import { call } from "../api/client.ts"
import { useProject } from "../shell/Project.tsx"
import { fieldText } from "../text/Form.ts"
import { FormDialog } from "../ui/dialogs/FormDialog.tsx"
import { useChange } from "./AccessQueries.ts"
import { FormDialogEnd } from "../ui/dialogs/FormDialogEnd.tsx"

/** Asks for the name of a new environment. */
export const NewEnvironment = ({ onClose }: { readonly onClose: () => void }) => {
  const { applicationId } = useProject()
  const create = useChange(
    (form: FormData) => {
      const alias = fieldText(form, "alias")
      const name = fieldText(form, "name")
      return call("environments.create", { path: { applicationId }, body: alias === "" ? { name } : { name, alias } })
    },
    ["environments"],
    onClose
  )
  return (
    <FormDialog title="New environment" onClose={onClose} onSubmit={create.mutate}>
      <label className="field">
        Name
        <input name="name" required maxLength={100} autoComplete="off" placeholder="Staging" />
      </label>
      <label className="field">
        Alias
        <input name="alias" maxLength={64} autoComplete="off" />
        <small>Games name the environment by it. Empty: made of the name.</small>
      </label>
      <FormDialogEnd error={create.error} submit="Create" isDisabled={create.isPending} onClose={onClose} />
    </FormDialog>
  )
}
