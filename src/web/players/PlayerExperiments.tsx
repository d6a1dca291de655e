import { useMutation, useQueryClient } from "@tanstack/react-query"
import { Link } from "wouter"
import { call } from "../api/client.ts"
import { useProject, useWhere } from "../shell/Project.tsx"
import { bucketName } from "../text/Times.ts"
import { deniedTo } from "../text/Denied.ts"
import { Button } from "../ui/Button.tsx"
import { isRepeated } from "../ui/DoubleClick.ts"
import { Callout } from "../ui/States.tsx"
import type { PlayerRecord } from "./PlayerQueries.ts"
import { useExperiments } from "./PlayerQueries.ts"

type Assignment = PlayerRecord["assignments"][number]

type Change =
  | { readonly do: "move"; readonly assignment: Assignment; readonly groupId: number }
  | { readonly do: "unenroll" | "reactivate"; readonly assignment: Assignment }

const sources: Readonly<Record<Assignment["source"], string>> = {
  weightedHash: "by chance",
  roundRobin: "in turn",
  manual: "by hand"
}

/** The experiments a player is in, and the ways to another group and out of them. */
export const PlayerExperiments = ({ player }: { readonly player: PlayerRecord }) => {
  const { applicationId, environment, environmentId, timezone, may } = useProject()
  const where = useWhere()
  const client = useQueryClient()
  const isAllowed = may("experiments:write")
  const experiments = useExperiments(where, player.assignments.length > 0 && may("experiments:read"))
  const change = useMutation({
    mutationFn: (wanted: Change) => {
      const { experimentId } = wanted.assignment
      const place = { path: { applicationId, experimentId }, environment: environmentId }
      const unit = { distinctId: player.unitId }
      switch (wanted.do) {
        case "move":
          return call("assignments.set", { ...place, body: { ...unit, groupId: wanted.groupId } })
        case "unenroll":
          return call("assignments.unenroll", { ...place, body: unit })
        case "reactivate":
          return call("assignments.reactivate", { ...place, body: unit })
      }
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ["player", where, player.unitId] })
  })
  if (player.assignments.length === 0) return <p className="faint">In no experiment.</p>
  return (
    <>
      {change.error !== null && <Callout tone="bad">{change.error.message}</Callout>}
      {!isAllowed && (
        <p className="faint" id="experiments-denied">
          {deniedTo("Moving a player", "experiments:write")}
        </p>
      )}
      <ul className="player-list">
        {player.assignments.map((assignment) => {
          const { experimentId, experimentName, groupId, groupName, status, source, assignedAt } = assignment
          const experiment = experiments.data?.find(({ id }) => id === experimentId)
          const isActive = status === "active"
          const isEnded = experiment?.status === "completed"
          const isOff = !isAllowed || isEnded
          const reason = isAllowed ? undefined : "experiments-denied"
          return (
            <li key={experimentId}>
              <div>
                {may("experiments:read") ? (
                  <Link href={`/p/${applicationId}/${environment.alias}/experiments/${experimentId}`}>
                    <b>{experimentName}</b>
                  </Link>
                ) : (
                  <b>{experimentName}</b>
                )}
                <small className="faint">
                  {isActive ? groupName : `taken out of ${groupName}`} · {sources[source]} · since{" "}
                  {bucketName(assignedAt, "day", timezone)}
                  {isEnded ? " · the experiment is over" : ""}
                </small>
              </div>
              <div className="row">
                {isActive && (
                  <select
                    className="input"
                    aria-label={`Group in ${experimentName}`}
                    aria-describedby={reason}
                    value={groupId}
                    disabled={isOff || experiment === undefined}
                    onChange={(event) => {
                      const groupId = Number(event.target.value)
                      if (!change.isPending) change.mutate({ do: "move", assignment, groupId })
                    }}
                  >
                    {(experiment?.groups ?? [{ id: groupId, name: groupName }]).map(({ id, name }) => (
                      <option key={id} value={id}>
                        {name}
                      </option>
                    ))}
                  </select>
                )}
                <Button
                  className="button button-small"
                  aria-describedby={reason}
                  disabled={isOff || change.isPending}
                  onClick={(event) =>
                    !isRepeated(event) && change.mutate({ do: isActive ? "unenroll" : "reactivate", assignment })
                  }
                >
                  {isActive ? "Take out" : "Put back"}
                  <span className="unseen"> of {experimentName}</span>
                </Button>
              </div>
            </li>
          )
        })}
      </ul>
    </>
  )
}
