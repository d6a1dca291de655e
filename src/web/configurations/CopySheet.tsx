import { useMutation, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { call } from "../api/client.ts"
import { configurationQuery, useConfigurations } from "./ConfigurationQueries.ts"
import { useProject, useWhere } from "../shell/Project.tsx"
import { Button } from "../ui/Button.tsx"
import { Sheet } from "../ui/dialogs/Sheet.tsx"
import { Callout, Skeleton } from "../ui/States.tsx"
import { ChangeList } from "./ChangeList.tsx"
import type { Configuration } from "./ConfigurationQueries.ts"
import { type Promotion, promotionTo } from "./Promotion.ts"
import { ReasonField } from "./ReasonField.tsx"
import { keyPath, sentChanges } from "./SentChanges.ts"

interface Props {
  readonly configuration: Configuration
  readonly onClose: () => void
}

const nothing: Promotion = { wanted: {}, changes: [], hidden: [], shown: [], lacking: [] }

/** Brings what is live here to another environment: as a new configuration, or as the next version of the one of that name. */
export const CopySheet = ({ configuration, onClose }: Props) => {
  const { applicationId, environment, environments } = useProject()
  const others = environments.filter(({ id }) => id !== environment.id)
  const [targetId, setTargetId] = useState(others[0]?.id ?? 0)
  const [reason, setReason] = useState("")
  const target = others.find(({ id }) => id === targetId)
  const there = { applicationId, environmentId: targetId }
  const own = useConfigurations(useWhere())
  const listed = useConfigurations(there)
  const namesake = listed.data?.find(({ name }) => name === configuration.name)
  const present = useQuery({
    ...configurationQuery(there, namesake?.id ?? 0),
    enabled: namesake !== undefined
  })
  const { wanted, changes, hidden, shown, lacking } =
    present.data === undefined || own.data === undefined
      ? nothing
      : promotionTo(configuration, own.data, present.data, listed.data ?? [])
  const isSame = changes.length + hidden.length + shown.length === 0
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
          changes: sentChanges(changes, wanted),
          ...(hidden.length + shown.length === 0 ? {} : { privacy: configuration.privacy.map(keyPath) }),
          ...(reason.trim() === "" ? {} : { reason: reason.trim() })
        }
      })
    },
    // It is another one there now; where it was refused, somebody else may have changed it meanwhile.
    onSettled: () => Promise.all([listed.refetch(), ...(namesake === undefined ? [] : [present.refetch()])])
  })
  const isReady =
    listed.data !== undefined && own.data !== undefined && (namesake === undefined || present.data !== undefined)
  const failure = listed.error ?? own.error ?? present.error
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
              disabled={copying.isPending}
              onChange={({ currentTarget }) => {
                setTargetId(Number(currentTarget.value))
                // What was said of one environment is not true of another.
                copying.reset()
              }}
            >
              {others.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          {failure !== null && <Callout tone="bad">{failure.message}</Callout>}
          {!isReady && failure === null && <Skeleton height={120} />}
          {isReady && namesake === undefined && (
            <p>
              {target.name} has no configuration called {configuration.name}. It gets one with the values of version{" "}
              {configuration.version}.
            </p>
          )}
          {isReady && namesake !== undefined && isSame && <p>{target.name} has the same values already.</p>}
          {lacking.length > 0 && (
            <Callout tone="bad">
              It links to {lacking.join(", ")}, which {target.name} lacks: copy that first.
            </Callout>
          )}
          {!isSame && (
            <>
              <p>{target.name} has one of this name. This is what changes there:</p>
              <ChangeList changes={changes} hidden={hidden} shown={shown} />
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
          <Button
            type="button"
            className="button button-primary"
            disabled={
              !isReady ||
              copying.isPending ||
              copying.isSuccess ||
              lacking.length > 0 ||
              (namesake !== undefined && isSame) ||
              (needsReason && reason.trim() === "")
            }
            onClick={() => copying.mutate()}
          >
            {namesake === undefined ? `Copy to ${target.name}` : `Publish to ${target.name}`}
          </Button>
        </>
      )}
    </Sheet>
  )
}
