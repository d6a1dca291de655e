import { useState } from "react"
import { Link } from "wouter"
import { call } from "../api/client.ts"
import { useOrganizations } from "../api/queries.ts"
import type { Organization } from "../shell/Project.tsx"
import { deniedText } from "../text/Denied.ts"
import { fieldText } from "../text/Form.ts"
import { countText } from "../text/Numbers.ts"
import { DeniableCheck } from "../ui/DeniableCheck.tsx"
import { KeptNotice } from "../ui/kept/KeptNotice.tsx"
import { useTyped } from "../ui/kept/useKept.ts"
import { useChange } from "./AccessQueries.ts"
import { NewProject } from "./NewProject.tsx"
import { OrganizationIcon } from "./OrganizationIcon.tsx"
import { SaveRow } from "./SaveRow.tsx"
import { Section, SettingsPage } from "./Section.tsx"
import { useRights } from "./useRights.ts"

/** The studio: its name and icon, and the others that one belongs to. */
export const OrganizationSettings = ({ organization }: { readonly organization: Organization }) => {
  const rights = useRights(organization)
  const organizations = useOrganizations()
  const [isCreating, create] = useState(false)
  const denied = rights.denied("organization:write")
  const typed = useTyped(`organization-name-${organization.id}`, organization.name)
  const save = useChange(
    (form: FormData) =>
      call("organizations.update", {
        path: { organizationId: organization.id },
        body: { name: fieldText(form, "name") }
      }),
    ["organizations"]
  )
  const demand = useChange(
    (requiresSecondFactor: boolean) =>
      call("organizations.update", { path: { organizationId: organization.id }, body: { requiresSecondFactor } }),
    ["organizations", "application"]
  )
  return (
    <SettingsPage title="Organization" lead="The studio that owns projects. Members, roles and keys belong to it.">
      <Section title="What it is" denied={denied}>
        {denied === null && typed.wasKept && <KeptNotice what="The name you typed" onDiscard={typed.discard} />}
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
              value={typed.value}
              readOnly={denied !== null}
              onChange={({ currentTarget }) => typed.type(currentTarget.value)}
            />
          </label>
          <SaveRow error={save.error} isPending={save.isPending} isSaved={save.isSuccess} denied={denied} />
        </form>
      </Section>
      <Section title="Signing in" denied={denied}>
        <DeniableCheck
          denied={denied}
          isBusy={demand.isPending}
          isChecked={(demand.isPending ? demand.variables : undefined) ?? organization.requiresSecondFactor}
          onChange={demand.mutate}
        >
          Members need a second factor
        </DeniableCheck>
        <p className="faint">
          Whoever has signed in by password alone is let do nothing here until they set up an authenticator app, or sign
          in with a passkey or through the provider of this server. That goes for you as well. Tokens and keys go on
          working.
        </p>
        <p className="form-error" role="alert">
          {demand.error?.message}
        </p>
      </Section>
      <Section
        title="Icon"
        denied={denied ?? (rights.holds(null, "organization:read") ? null : deniedText("organization:read"))}
      >
        <OrganizationIcon
          organization={organization}
          denied={denied}
          isShown={rights.holds(null, "organization:read")}
        />
      </Section>
      <Section
        title="Your organizations"
        action={
          <button type="button" className="button" onClick={() => create(true)}>
            New organization
          </button>
        }
      >
        <ul className="entries">
          {organizations.data?.map(({ id, name, role, applications }) => {
            const [first] = applications
            return (
              <li key={id}>
                <span>
                  <b>{name}</b>
                  <small className="faint">
                    {role.name} · {countText(applications.length, "project")}
                  </small>
                </span>
                {id === organization.id ? (
                  <span className="tag">shown now</span>
                ) : first === undefined ? (
                  <span className="faint">no project yet</span>
                ) : (
                  <Link className="button button-small" href={`/p/${first.id}/production`}>
                    Open
                  </Link>
                )}
              </li>
            )
          })}
        </ul>
      </Section>
      {isCreating && <NewProject organizationId={null} onClose={() => create(false)} />}
    </SettingsPage>
  )
}
