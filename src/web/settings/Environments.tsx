import { useState } from "react"
import { useLocation } from "wouter"
import { call } from "../api/client.ts"
import type { Environment } from "../shell/Project.tsx"
import { useProject } from "../shell/Project.tsx"
import { deniedText } from "../text/Denied.ts"
import { countText } from "../text/Numbers.ts"
import { dayKey } from "../text/Times.ts"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import { useChange } from "./AccessQueries.ts"
import { EnvironmentForm } from "./EnvironmentForm.tsx"
import { NewEnvironment } from "./NewEnvironment.tsx"
import { SettingsPage } from "./Section.tsx"

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
  const [, navigate] = useLocation()
  const [open, setOpen] = useState<Open>(null)
  const denied = may("environments:write") ? null : deniedText("environments:write")
  const remove = useChange(
    (environmentId: number) => call("environments.remove", { path: { applicationId, environmentId } }),
    ["environments"],
    () => {
      if (open?.what === "delete" && open.environment.id === shown.id) {
        navigate(`/p/${applicationId}/${production}/settings/environments`)
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
        <div className="table-box" role="region" aria-label="List of environments" tabIndex={0}>
          <table className="table">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Alias</th>
                <th scope="col">Markers are kept</th>
                <th scope="col">Since</th>
                <th scope="col">
                  <span className="unseen">Change</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {environments.map((environment) => {
                const isProduction = environment.alias === production
                return (
                  <tr key={environment.id}>
                    <th scope="row">
                      <span className={isProduction ? "status" : "status status-other"}>{environment.name}</span>
                    </th>
                    <td>
                      <code>{environment.alias}</code>
                    </td>
                    <td>{keptText(environment)}</td>
                    <td>{dayKey(environment.createdAt, timezone)}</td>
                    <td className="row-actions">
                      <DeniableButton
                        denied={denied}
                        look="button-small"
                        label={`Change ${environment.name}`}
                        onClick={() => setOpen({ what: "edit", environment })}
                      >
                        Change
                      </DeniableButton>
                      <DeniableButton
                        denied={isProduction ? "Production stays: games that name no environment use it." : denied}
                        look="button-small button-danger"
                        label={`Delete ${environment.name}`}
                        onClick={() => setOpen({ what: "delete", environment })}
                      >
                        Delete
                      </DeniableButton>
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
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
