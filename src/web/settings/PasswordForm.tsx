import { useRef } from "react"
import { refusalInWords } from "../account/Words.ts"
import { call } from "../api/client.ts"
import { useChange } from "./AccessQueries.ts"
import { PresentPassword } from "./factors/PresentPassword.tsx"
import { SaveRow } from "./SaveRow.tsx"
import { Section } from "./Section.tsx"

/** Gives the account another password, and ends every other sign-in of it. */
export const PasswordForm = ({ email }: { readonly email: string }) => {
  const form = useRef<HTMLFormElement>(null)
  const change = useChange(
    (data: FormData) =>
      call("users.changePassword", {
        // Blanks are part of a password.
        body: { currentPassword: String(data.get("present")), newPassword: String(data.get("next")) }
      }),
    ["sessions"],
    () => form.current?.reset()
  )
  return (
    <Section title="Password">
      <form
        ref={form}
        className="settings-form"
        onInput={() => change.isSuccess && change.reset()}
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate(new FormData(event.currentTarget))
        }}
      >
        <PresentPassword email={email} />
        <label className="field">
          New password
          <input name="next" type="password" autoComplete="new-password" required minLength={8} maxLength={256} />
          <small>At least 8 characters. You are signed out everywhere else.</small>
        </label>
        <SaveRow
          error={refusalInWords(change.error)}
          isPending={change.isPending}
          isSaved={change.isSuccess}
          denied={null}
          words="Change the password"
        />
      </form>
    </Section>
  )
}
