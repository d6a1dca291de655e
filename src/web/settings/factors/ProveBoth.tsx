import { CodeField } from "../../account/CodeField.tsx"
import { refusalInWords } from "../../account/Words.ts"
import { call } from "../../api/client.ts"
import { FormDialog } from "../../ui/dialogs/FormDialog.tsx"
import { FormDialogEnd } from "../../ui/dialogs/FormDialogEnd.tsx"
import { useChange } from "../AccessQueries.ts"
import { PresentPassword } from "./PresentPassword.tsx"
import { RecoveryCodes } from "./RecoveryCodes.tsx"

interface Props {
  readonly what: "codes" | "remove"
  readonly email: string
  readonly onClose: () => void
}

const words = {
  codes: {
    title: "New recovery codes?",
    text: "The codes that you have now are good for nothing afterwards.",
    action: "Make new codes"
  },
  remove: {
    title: "Take the second factor away?",
    text: "From then on the password alone is enough to sign in as you.",
    action: "Take it away"
  }
} as const

/** Asks for password and code before what a session alone must not do. */
export const ProveBoth = ({ what, email, onClose }: Props) => {
  const { title, text, action } = words[what]
  const change = useChange(
    async (form: FormData) => {
      const body = { currentPassword: String(form.get("present")), code: String(form.get("code")) }
      if (what === "codes") return call("secondFactors.newRecoveryCodes", { body })
      await call("secondFactors.remove", { body })
      return null
    },
    ["second-factor"],
    (made) => made === null && onClose()
  )
  if (change.data) return <RecoveryCodes codes={change.data.recoveryCodes} onClose={onClose} />
  return (
    <FormDialog title={title} onClose={onClose} onSubmit={(form) => change.mutate(form)}>
      <p>{text}</p>
      <PresentPassword email={email} />
      <CodeField />
      <FormDialogEnd
        error={refusalInWords(change.error)}
        submit={action}
        isDangerous={what === "remove"}
        isDisabled={change.isPending}
        onClose={onClose}
      />
    </FormDialog>
  )
}
