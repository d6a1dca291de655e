import { useState } from "react"
import { call } from "../api/client.ts"
import type { Environment } from "../shell/Project.tsx"
import { useProject } from "../shell/Project.tsx"
import { deniedText } from "../text/Denied.ts"
import { countText } from "../text/Numbers.ts"
import { bucketName } from "../text/Times.ts"
import { ConfirmDialog } from "../ui/dialogs/ConfirmDialog.tsx"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import { ListTable } from "../ui/ListTable.tsx"
import { useChange } from "./AccessQueries.ts"
import { EnvironmentForm } from "./EnvironmentForm.tsx"
import { NewEnvironment } from "./NewEnvironment.tsx"
import { SettingsPage } from "./Section.tsx"
import { useOnward } from "../url/useOnward.ts"

const production = "production"

const keptText = ({ retentionDays, markerRetentionDays }: Environment): string => {
  const all = retentionDays === null ? "As long as the server says" : countText(retentionDays, "day")
  const own = Object.keys(markerRetentionDays).length
  return own === 0 ? all : `${all}; ${countText(own, "type")} otherwise`
}

type Open = { readonly what: "edit" | "delete"; readonly environment: Environment } | { readonly what: "new" } | null

/** The environments of the project: each has its own markers, configurations and cohorts. */
export const Environments = () => {
  const { applicationId, environment: shown, environments, timezone, may } = useProject()
  const onward = useOnward()
  const [open, setOpen] = useState<Open>(null)
  const denied = may("environments:write") ? null : deniedText("environments:write")
  const remove = useChange(
    (environmentId: number) => call("environments.remove", { path: { applicationId, environmentId } }),
    ["environments"],
    () => {
      if (open?.what === "delete" && open.environment.id === shown.id) {
        onward(`/p/${applicationId}/${production}/settings/environments`, `/p/${applicationId}/${shown.alias}/`)
      }
      setOpen(null)
    }
  )
  return (
    <SettingsPage
      title="Environments"
      lead="Games send markers to one of them and get its configurations. Everything but production is tinted, so that nobody mistakes one for the other."
      action={
        <DeniableButton denied={denied} look="button-primary" onClick={() => setOpen({ what: "new" })}>
          New environment
        </DeniableButton>
      }
    >
      {denied !== null && <p className="faint">{denied}</p>}
      <section className="card" aria-label="Environments">
        <ListTable
          label="List of environments"
          rows={environments}
          keyOf={({ id }) => id}
          columns={[
            {
              name: "Name",
              kind: "head",
              render: ({ name, alias }) => (
                <span className={alias === production ? "status" : "status status-other"}>{name}</span>
              )
            },
            { name: "Alias", render: ({ alias }) => <code>{alias}</code> },
            { name: "Markers are kept", render: keptText },
            { name: "Since", render: ({ createdAt }) => bucketName(createdAt, "day", timezone) },
            {
              name: "Change",
              kind: "actions",
              render: (environment) => (
                <>
                  <DeniableButton
                    denied={denied}
                    look="button-small"
                    label={`Change ${environment.name}`}
                    onClick={() => setOpen({ what: "edit", environment })}
                  >
                    Change
                  </DeniableButton>
                  <DeniableButton
                    denied={
                      environment.alias === production
                        ? "Production stays: games that name no environment use it."
                        : denied
                    }
                    look="button-small button-danger"
                    label={`Delete ${environment.name}`}
                    onClick={() => {
                      remove.reset()
                      setOpen({ what: "delete", environment })
                    }}
                  >
                    Delete
                  </DeniableButton>
                </>
              )
            }
          ]}
        />
      </section>
      {open?.what === "new" && <NewEnvironment onClose={() => setOpen(null)} />}
      {open?.what === "edit" && <EnvironmentForm environment={open.environment} onClose={() => setOpen(null)} />}
      {open?.what === "delete" && (
        <ConfirmDialog
          title={`Delete ${open.environment.name}?`}
          action="Delete the environment"
          typed={open.environment.name}
          error={remove.error}
          isPending={remove.isPending}
          onConfirm={() => remove.mutate(open.environment.id)}
          onClose={() => setOpen(null)}
        >
          <p>
            Its markers, players, configurations, cohorts and experiments are gone for good. Games that name{" "}
            <code>{open.environment.alias}</code> are refused.
          </p>
        </ConfirmDialog>
      )}
    </SettingsPage>
  )
}
