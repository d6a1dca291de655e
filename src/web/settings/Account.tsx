import { call } from "../api/client.ts"
import { useMe } from "../api/queries.ts"
import { UnansweredPage } from "../shell/UnansweredPage.tsx"
import { useProject } from "../shell/Project.tsx"
import { fieldText } from "../text/Form.ts"
import { KeptNotice } from "../ui/kept/KeptNotice.tsx"
import { useTyped } from "../ui/kept/useKept.ts"
import { useChange } from "./AccessQueries.ts"
import { Passkeys } from "./factors/Passkeys.tsx"
import { SecondFactor } from "./factors/SecondFactor.tsx"
import { Identities } from "./Identities.tsx"
import { PasswordForm } from "./PasswordForm.tsx"
import { SaveRow } from "./SaveRow.tsx"
import { Section, SettingsPage } from "./Section.tsx"
import { Sessions } from "./Sessions.tsx"
import { SignIns } from "./SignIns.tsx"
import { Tokens } from "./Tokens.tsx"

/** The name by which others know one. */
const NameForm = ({ name }: { readonly name: string }) => {
  const typed = useTyped("account-name", name)
  const save = useChange(
    (form: FormData) => call("users.updateMe", { body: { name: fieldText(form, "name") } }),
    ["me", "accounts", "members"]
  )
  return (
    <>
      {typed.wasKept && <KeptNotice what="The name you typed" onDiscard={typed.discard} />}
      <form
        className="settings-form"
        onInput={() => save.isSuccess && save.reset()}
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate(new FormData(event.currentTarget))
        }}
      >
        <label className="field">
          Name
          <input
            name="name"
            required
            maxLength={100}
            autoComplete="name"
            value={typed.value}
            onChange={({ currentTarget }) => typed.type(currentTarget.value)}
          />
          <small>Others see it beside what you change.</small>
        </label>
        <SaveRow error={save.error} isPending={save.isPending} isSaved={save.isSuccess} denied={null} />
      </form>
    </>
  )
}

/** One's own account: it belongs to no organization. */
export const Account = () => {
  const { organization } = useProject()
  const me = useMe()
  if (me.data === undefined) {
    return <UnansweredPage error={me.error} retry={() => void me.refetch()} />
  }
  return (
    <SettingsPage title="My account" lead={`${me.data.email}, on this server.`}>
      <Section title="Who you are">
        <NameForm name={me.data.name} />
      </Section>
      <PasswordForm email={me.data.email} />
      <SecondFactor email={me.data.email} />
      <Passkeys email={me.data.email} />
      <Identities />
      {organization !== null && <Tokens organization={organization} />}
      <Sessions />
      <SignIns />
    </SettingsPage>
  )
}
