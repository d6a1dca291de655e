import { useMutation, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { diff } from "../../domain/configuration/Diff.ts"
import { call } from "../api/client.ts"
import { configurationQuery, sentChanges, useConfigurations } from "./ConfigurationQueries.ts"
import { useProject } from "../shell/Project.tsx"
import { Sheet } from "../ui/Sheet.tsx"
import { Callout, Skeleton } from "../ui/States.tsx"
import { ChangeList } from "./ChangeList.tsx"
import type { Configuration } from "./ConfigurationQueries.ts"
import { ReasonField } from "./ReasonField.tsx"

interface Props {
  readonly configuration: Configuration
  readonly onClose: () => void
}

/** Brings what is live here to another environment: as a new configuration, or as the next version of the one of that name. */
export const CopySheet = ({ configuration, onClose }: Props) => {
  const { applicationId, environment, environments } = useProject()
  const others = environments.filter(({ id }) => id !== environment.id)
  const [targetId, setTargetId] = useState(others[0]?.id ?? 0)
  const [reason, setReason] = useState("")
  const target = others.find(({ id }) => id === targetId)
  const there = { applicationId, environmentId: targetId }
  const listed = useConfigurations(there)
  const namesake = listed.data?.find(({ name }) => name === configuration.name)
  const present = useQuery({
    ...configurationQuery(there, namesake?.id ?? 0),
    enabled: namesake !== undefined
  })
  const changes = present.data === undefined ? [] : diff(present.data.configuration, configuration.configuration)
  const copying = useMutation({
    mutationFn: async () => {
      if (present.data === undefined) {
        return call("configurations.copy", {
          path: { applicationId, configurationId: configuration.id },
          environment: environment.id,
          body: { name: configuration.name, environmentId: targetId }
        })
      }
      return call("configurations.patch", {
        path: { applicationId, configurationId: present.data.id },
        environment: targetId,
        body: {
          baseHash: present.data.hash,
          changes: sentChanges(changes),
          ...(reason.trim() === "" ? {} : { reason: reason.trim() })
        }
      })
    }
  })
  const isReady = listed.data !== undefined && (namesake === undefined || present.data !== undefined)
  const needsReason = target?.alias === "production" && namesake !== undefined
  return (
    <Sheet
      title={`Copy ${configuration.name}`}
      asks={copying.isSuccess ? "never" : "ifChanged"}
      onClose={onClose}
      isWide
    >
      {target === undefined ? (
        <p>This project has no other environment.</p>
      ) : (
        <>
          <label className="field-inline">
            To
            <select
              className="input"
              value={targetId}
              onChange={({ currentTarget }) => setTargetId(Number(currentTarget.value))}
            >
              {others.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          {listed.error !== null && <Callout tone="bad">{listed.error.message}</Callout>}
          {!isReady && listed.error === null && <Skeleton height={120} />}
          {isReady && namesake === undefined && (
            <p>
              {target.name} has no configuration called {configuration.name}. It gets one with the values of version{" "}
              {configuration.version}.
            </p>
          )}
          {isReady && namesake !== undefined && changes.length === 0 && (
            <p>{target.name} has the same values already.</p>
          )}
          {changes.length > 0 && (
            <>
              <p>{target.name} has one of this name. This is what changes there:</p>
              <ChangeList changes={changes} />
              <ReasonField reason={reason} isNeeded={needsReason} onChange={setReason} />
            </>
          )}
          {copying.isSuccess && (
            <Callout tone="good">
              {target.name} has it now, as version {copying.data.version}.
            </Callout>
          )}
          <p className="form-error" role="alert">
            {copying.error?.message}
          </p>
          <button
            type="button"
            className="button button-primary"
            disabled={
              !isReady ||
              copying.isPending ||
              copying.isSuccess ||
              (namesake !== undefined && changes.length === 0) ||
              (needsReason && reason.trim() === "")
            }
            onClick={() => copying.mutate()}
          >
            {namesake === undefined ? `Copy to ${target.name}` : `Publish to ${target.name}`}
          </button>
        </>
      )}
    </Sheet>
  )
}
