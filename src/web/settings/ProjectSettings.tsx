import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { sdkOf, sdks } from "../../domain/access/Sdk.ts"
import { call } from "../api/client.ts"
import { ApiFailure } from "../api/Failure.ts"
import { useApplication } from "../api/queries.ts"
import { useProject } from "../shell/Project.tsx"
import { deniedText } from "../text/Denied.ts"
import { fieldText } from "../text/Form.ts"
import { ConfirmDialog } from "../ui/dialogs/ConfirmDialog.tsx"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import { KeptNotice } from "../ui/kept/KeptNotice.tsx"
import { useTyped } from "../ui/kept/useKept.ts"
import { useChange } from "./AccessQueries.ts"
import { NewProject } from "./NewProject.tsx"
import { SaveRow } from "./SaveRow.tsx"
import { Section, SettingsPage } from "./Section.tsx"
import { useOnward } from "../url/useOnward.ts"

const zones = Intl.supportedValuesOf("timeZone")

/** Why the project was not saved. A zone that there is not is told with the one that may be meant. */
const refusalOf = (error: Error | null, zone: string): Error | null => {
  if (!(error instanceof ApiFailure) || error.code !== "TIME_ZONE_UNKNOWN") return error
  const end = `/${zone.trim().replaceAll(" ", "_")}`.toLowerCase()
  const meant = zones.find((each) => each.toLowerCase().endsWith(end))
  return new Error(
    `There is no zone called ${zone}. ${meant === undefined ? "Choose one of the list, such as Europe/Berlin." : `Is it ${meant}?`}`
  )
}

/** The project itself: its name, the kind of its SDK, and the zone of its days. */
export const ProjectSettings = () => {
  const { applicationId, name, timezone, organization, may, mayInOrganization } = useProject()
  const application = useApplication(applicationId).data
  const client = useQueryClient()
  const onward = useOnward()
  const [open, setOpen] = useState<"delete" | "new" | null>(null)
  const denied = may("projects:write") ? null : deniedText("projects:write")
  // What was typed alone is sent: what somebody else has changed meanwhile stays.
  const [begun, setBegun] = useState({ name, timezone, sdk: String(application?.sdk.id ?? "") })
  const fields = {
    name: useTyped(`project-name-${applicationId}`, begun.name),
    sdk: useTyped(`project-sdk-${applicationId}`, begun.sdk),
    timezone: useTyped(`project-timezone-${applicationId}`, begun.timezone)
  }
  const all = Object.values(fields)
  const save = useChange(
    (form: FormData) => {
      const [typed, zone] = [fieldText(form, "name"), fieldText(form, "timezone")]
      const sdk = fieldText(form, "sdk")
      const body = {
        ...(typed === begun.name ? {} : { name: typed }),
        ...(zone === begun.timezone ? {} : { timezone: zone }),
        ...(sdk === begun.sdk ? {} : { sdkId: sdkOf(Number(sdk)).id })
      }
      return call("projects.update", { path: { applicationId }, body })
    },
    ["application", "organizations"],
    (saved) => setBegun({ name: saved.name, timezone: saved.timezone, sdk: String(saved.sdk.id) })
  )
  const remove = useChange(
    () => call("projects.remove", { path: { applicationId } }),
    [],
    () => {
      client.clear()
      onward("/", `/p/${applicationId}/`)
    }
  )
  return (
    <SettingsPage
      title="Project"
      lead="A project is one game, with its own markers, configurations and experiments."
      action={
        <DeniableButton
          denied={organization !== null && mayInOrganization("projects:write") ? null : deniedText("projects:write")}
          onClick={() => setOpen("new")}
        >
          New project
        </DeniableButton>
      }
    >
      <Section title="What it is" denied={denied}>
        {denied === null && all.some(({ wasKept }) => wasKept) && (
          <KeptNotice
            what="What you changed of the project"
            onDiscard={() => all.forEach(({ discard }) => discard())}
          />
        )}
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
              value={fields.name.value}
              readOnly={denied !== null}
              onChange={({ currentTarget }) => fields.name.type(currentTarget.value)}
            />
          </label>
          <label className="field">
            Made with
            <select
              name="sdk"
              value={fields.sdk.value}
              disabled={denied !== null}
              onChange={({ currentTarget }) => fields.sdk.type(currentTarget.value)}
            >
              {sdks.map((sdk) => (
                <option key={sdk.id} value={sdk.id}>
                  {sdk.name}
                </option>
              ))}
            </select>
          </label>
          <label className="field">
            Zone of its days
            <input
              name="timezone"
              required
              list="zones"
              autoComplete="off"
              value={fields.timezone.value}
              readOnly={denied !== null}
              onChange={({ currentTarget }) => fields.timezone.type(currentTarget.value)}
            />
            <small>Days, weeks and months of every chart begin at midnight there. A change moves past days too.</small>
          </label>
          <datalist id="zones">
            {zones.map((zone) => (
              <option key={zone} value={zone}>
                {zone}
              </option>
            ))}
          </datalist>
          <SaveRow
            error={refusalOf(save.error, save.variables === undefined ? "" : fieldText(save.variables, "timezone"))}
            isPending={save.isPending}
            isSaved={save.isSuccess}
            denied={denied}
          />
        </form>
      </Section>
      <Section title="Delete the project">
        <p>
          Its environments, markers, players, configurations and experiments are gone for good, and games that ask for
          them are refused.
        </p>
        <DeniableButton denied={denied} look="button-danger" onClick={() => setOpen("delete")}>
          Delete the project
        </DeniableButton>
      </Section>
      {open === "delete" && (
        <ConfirmDialog
          title={`Delete ${name}?`}
          action="Delete the project"
          typed={name}
          error={remove.error}
          isPending={remove.isPending}
          onConfirm={() => remove.mutate(undefined)}
          onClose={() => setOpen(null)}
        >
          <p>
            Everything in all its environments goes with it. Keys made for it open nothing any more. There is no way
            back.
          </p>
        </ConfirmDialog>
      )}
      {open === "new" && organization !== null && (
        <NewProject organizationId={organization.id} onClose={() => setOpen(null)} />
      )}
    </SettingsPage>
  )
}
