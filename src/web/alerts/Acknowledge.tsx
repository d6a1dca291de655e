import { useWhere } from "../shell/Project.tsx"
import { fieldText } from "../text/Form.ts"
import { FormDialog } from "../ui/dialogs/FormDialog.tsx"
import { FormDialogEnd } from "../ui/dialogs/FormDialogEnd.tsx"
import { acknowledgeAlert, useAlertChange } from "./AlertQueries.ts"

interface Props {
  readonly alertId: string
  readonly onClose: () => void
}

/** Says that somebody looks after what was found. */
export const Acknowledge = ({ alertId, onClose }: Props) => {
  const where = useWhere()
  const change = useAlertChange((form: FormData) => acknowledgeAlert(where, alertId, fieldText(form, "note")), onClose)
  return (
    <FormDialog title="I look after it" onClose={onClose} onSubmit={change.mutate}>
      <label className="field">
        What others should know
        <input name="note" maxLength={500} autoComplete="off" placeholder="The shop is closed for the update" />
      </label>
      <FormDialogEnd error={change.error} submit="Say so" isDisabled={change.isPending} onClose={onClose} />
    </FormDialog>
  )
}
