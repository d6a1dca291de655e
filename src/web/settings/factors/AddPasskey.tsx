import { makePasskey } from "./MakePasskey.ts"
import { CodeField, codeIn } from "../../account/CodeField.tsx"
import { refusalInWords } from "../../account/Words.ts"
import { fieldText } from "../../text/Form.ts"
import { FormDialog } from "../../ui/dialogs/FormDialog.tsx"
import { FormDialogEnd } from "../../ui/dialogs/FormDialogEnd.tsx"
import { useChange } from "../AccessQueries.ts"
import { PresentPassword } from "./PresentPassword.tsx"

interface Props {
  readonly email: string
  /** Whether this person's sign-ins ask for a code. */
  readonly asksCode: boolean
  readonly onClose: () => void
}

/** Asks for a name and for what a sign-in asks for, and has the browser make a passkey. */
export const AddPasskey = ({ email, asksCode, onClose }: Props) => {
  const add = useChange(
    (form: FormData) =>
      makePasskey(fieldText(form, "name"), { currentPassword: String(form.get("present")), ...codeIn(form) }),
    ["passkeys"],
    onClose
  )
  return (
    <FormDialog title="Add a passkey" onClose={onClose} onSubmit={(form) => add.mutate(form)}>
      <label className="field">
        Name
        <input name="name" required maxLength={100} autoComplete="off" placeholder="My laptop" />
        <small>By which you know it in this list.</small>
      </label>
      <PresentPassword email={email} />
      {asksCode && <CodeField isFirst={false} />}
      <FormDialogEnd
        error={refusalInWords(add.error)}
        submit={add.isPending ? "Waiting for your browser …" : "Add it"}
        isDisabled={add.isPending}
        onClose={onClose}
      />
    </FormDialog>
  )
}
