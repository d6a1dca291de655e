import { CodeField } from "../../account/CodeField.tsx"
import { refusalInWords } from "../../account/Words.ts"
import { call } from "../../api/client.ts"
import { CopyButton } from "../../ui/CopyButton.tsx"
import { FormDialog } from "../../ui/dialogs/FormDialog.tsx"
import { FormDialogEnd } from "../../ui/dialogs/FormDialogEnd.tsx"
import { QrDrawing } from "../../qr/QrDrawing.tsx"
import { useChange } from "../AccessQueries.ts"
import { PresentPassword } from "./PresentPassword.tsx"
import { RecoveryCodes } from "./RecoveryCodes.tsx"
import "../../theme/deeplinks.css"

interface Props {
  readonly email: string
  readonly onClose: () => void
}

/** The key as people type it: in groups of four. */
const spelled = (secret: string): string => secret.match(/.{1,4}/g)?.join(" ") ?? ""

/** Gives the app its key, asks for a code of it, and shows the recovery codes. */
export const SetUp = ({ email, onClose }: Props) => {
  const begin = useChange(
    (form: FormData) => call("secondFactors.setUp", { body: { currentPassword: String(form.get("present")) } }),
    []
  )
  const confirm = useChange(
    (form: FormData) => call("secondFactors.confirm", { body: { code: String(form.get("code")) } }),
    ["second-factor"]
  )
  if (confirm.data !== undefined) return <RecoveryCodes codes={confirm.data.recoveryCodes} onClose={onClose} />
  if (begin.data === undefined) {
    return (
      <FormDialog
        key="password"
        title="Set up an authenticator app"
        onClose={onClose}
        onSubmit={(form) => begin.mutate(form)}
      >
        <p>Any app for one-time codes will do. Your password first:</p>
        <PresentPassword email={email} />
        <FormDialogEnd
          error={refusalInWords(begin.error)}
          submit="Go on"
          isDisabled={begin.isPending}
          onClose={onClose}
        />
      </FormDialog>
    )
  }
  const { secret, address } = begin.data
  return (
    <FormDialog
      key="code"
      title="Set up an authenticator app"
      onClose={onClose}
      onSubmit={(form) => confirm.mutate(form)}
    >
      <p>Read this picture with the app, or type the key into it. Then type the code that the app shows.</p>
      <div className="qr">
        <QrDrawing text={address} label="QR code for the authenticator app" />
      </div>
      <div className="secret-text">
        <code data-secret>{spelled(secret)}</code>
        <CopyButton text={secret} label="Copy the key" />
      </div>
      <CodeField help="The six digits that the app shows now." />
      <FormDialogEnd
        error={refusalInWords(confirm.error)}
        submit="Ask for codes from now on"
        isDisabled={confirm.isPending}
        onClose={onClose}
      />
    </FormDialog>
  )
}
