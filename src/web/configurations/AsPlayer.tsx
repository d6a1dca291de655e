import { keepPreviousData, useQuery } from "@tanstack/react-query"
import type { FormEvent } from "react"
import { useState } from "react"
import { Link } from "wouter"
import { call } from "../api/client.ts"
import type { Answer } from "../api/Wire.ts"
import { place } from "../api/queries.ts"
import { PlayerLink } from "../players/PlayerLink.tsx"
import { useProject, useWhere } from "../shell/Project.tsx"
import { deniedText } from "../text/Denied.ts"
import { Failed, Skeleton } from "../ui/States.tsx"
import { useSettled } from "../ui/useSettled.ts"
import type { Configuration } from "./ConfigurationQueries.ts"
import { pathText, valueText } from "./Draft.ts"
import { experimentAddress } from "./Locks.ts"
import { setBy } from "./SetBy.ts"

interface Props {
  readonly configuration: Configuration
  /** Empty while nobody is chosen. */
  readonly player: string
  readonly onChoose: (player: string) => void
}

type PlayerConfiguration = Answer<"players.configuration">
type Membership = PlayerConfiguration["experiments"][number]

const sources: Record<Membership["source"], string> = {
  weightedHash: "by chance",
  roundRobin: "in turn",
  manual: "put there by hand"
}

const suggestionsAtOnce = 8

/** Ids that begin with what is typed, as suggestions of the browser. */
const PlayerField = ({ player, onChoose }: Omit<Props, "configuration">) => {
  const where = useWhere()
  const { may } = useProject()
  const [typed, setTyped] = useState("")
  const search = useSettled(typed.trim(), 200)
  const found = useQuery({
    queryKey: ["player-suggestions", where, search],
    enabled: may("players:read"),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call("players.list", { ...place(where), query: { search, limit: suggestionsAtOnce }, signal })
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const chosen = String(new FormData(event.currentTarget).get("player") ?? "").trim()
    if (chosen !== "") onChoose(chosen)
  }
  return (
    <form className="row" onSubmit={submit}>
      <label className="field-inline">
        Player
        <input
          className="input"
          name="player"
          key={player}
          list="player-suggestions"
          defaultValue={player}
          maxLength={256}
          autoComplete="off"
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </label>
      <datalist id="player-suggestions">
        {found.data?.items.map(({ unitId }) => (
          <option key={unitId} value={unitId}>
            {unitId}
          </option>
        ))}
      </datalist>
      <button type="submit" className="button button-primary">
        Show
      </button>
    </form>
  )
}

const MembershipItem = ({ membership }: { readonly membership: Membership }) => {
  const project = useProject()
  const { experimentId, experimentName, groupName, source, isAssigned } = membership
  const name = <Link href={experimentAddress(project, experimentId)}>{experimentName}</Link>
  return (
    <li>
      {name}:{" "}
      {groupName === null ? (
        "the group whose turn it is, with the next question of the game"
      ) : isAssigned ? (
        <>
          <b>{groupName}</b>, {sources[source]}
        </>
      ) : (
        <>
          <b>{groupName}</b>, from the next question of the game on
        </>
      )}
    </li>
  )
}

/** What of a configuration is the base's, and what which experiment has set. */
const Values = ({ answer, version }: { readonly answer: PlayerConfiguration; readonly version: number }) => {
  const project = useProject()
  const [isOnlySet, showOnlySet] = useState(false)
  const rows = setBy(answer)
  const shown = isOnlySet ? rows.filter(({ change }) => change !== null) : rows
  const groupOf = (id: number) => answer.experiments.find(({ experimentId }) => experimentId === id)
  return (
    <>
      <label className="check">
        <input
          type="checkbox"
          checked={isOnlySet}
          onChange={({ currentTarget }) => showOnlySet(currentTarget.checked)}
        />
        Only what experiments set
      </label>
      {shown.length === 0 ? (
        <p className="faint">No experiment sets anything: the player gets the base as it is.</p>
      ) : (
        <div className="table-box" role="region" aria-label="Values" tabIndex={0}>
          <table className="table as-player">
            <thead>
              <tr>
                <th scope="col">Key</th>
                <th scope="col">Value</th>
                <th scope="col">Set by</th>
              </tr>
            </thead>
            <tbody>
              {shown.map(({ path, value, change }) => {
                const membership = change === null ? undefined : groupOf(change.experimentId)
                return (
                  <tr key={path.join("\u0000")} className={change === null ? undefined : "as-player-set"}>
                    <th scope="row">
                      <code>{pathText(path)}</code>
                    </th>
                    <td className="wide-text">
                      {change?.previous !== undefined && (
                        <>
                          <del>
                            <code>{valueText(change.previous)}</code>
                          </del>{" "}
                        </>
                      )}
                      {value === undefined ? <span className="faint">taken out</span> : <code>{valueText(value)}</code>}
                    </td>
                    <td>
                      {change === null ? (
                        <span className="faint">Base, version {version}</span>
                      ) : (
                        <>
                          <Link href={experimentAddress(project, change.experimentId)}>
                            {membership?.experimentName ?? `Experiment ${change.experimentId}`}
                          </Link>
                          , {membership?.groupName}
                        </>
                      )}
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}

const needs = ["players:read", "experiments:read"] as const

/** A published configuration as one player gets it. Looking enrols and exposes nobody. */
export const AsPlayer = ({ configuration, player, onChoose }: Props) => {
  const project = useProject()
  const where = useWhere()
  const missing = needs.filter((permission) => !project.may(permission))
  const found = useQuery({
    queryKey: ["player-configuration", where, configuration.id, player, configuration.version],
    enabled: player !== "" && missing.length === 0,
    queryFn: ({ signal }) =>
      call("players.configuration", {
        path: { applicationId: where.applicationId, unitId: player, configurationId: configuration.id },
        environment: where.environmentId,
        signal
      })
  })
  if (missing.length > 0) {
    return <p className="faint">{deniedText(...missing)}</p>
  }
  return (
    <div className="as-player-view">
      <PlayerField player={player} onChoose={onChoose} />
      {player === "" ? (
        <p className="faint">
          Choose a player to see the published configuration as they get it, and which experiment has set what.
        </p>
      ) : found.error !== null ? (
        <Failed error={found.error} retry={() => void found.refetch()} />
      ) : found.data === undefined ? (
        <Skeleton />
      ) : (
        <>
          <h2>
            As <PlayerLink unitId={player} /> gets it
          </h2>
          {found.data.experiments.length > 0 ? (
            <ul className="memberships" aria-label="Experiments of the player">
              {found.data.experiments.map((membership) => (
                <MembershipItem key={membership.experimentId} membership={membership} />
              ))}
            </ul>
          ) : (
            <p>In no experiment on this configuration.</p>
          )}
          <Values answer={found.data} version={configuration.version} />
          <p className="faint">
            Nobody is enrolled or exposed by looking. Conditions are judged by the latest properties of the player’s
            markers; experiments on game servers are left out.
          </p>
        </>
      )}
    </div>
  )
}
