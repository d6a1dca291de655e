import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useMemo, useState } from "react"
import { Link } from "wouter"
import { dayMillis } from "../../domain/Durations.ts"
import type { Answer } from "../api/Wire.ts"
import { ApiFailure } from "../api/Failure.ts"
import { callForText } from "../api/Files.ts"
import { InsteadOfPage } from "../shell/InsteadOfPage.tsx"
import { UnansweredPage } from "../shell/UnansweredPage.tsx"
import { useProject, useWhere } from "../shell/Project.tsx"
import { download } from "../text/Download.ts"
import { countText } from "../text/Numbers.ts"
import { deniedTo } from "../text/Denied.ts"
import { Button } from "../ui/Button.tsx"
import { CopyButton } from "../ui/CopyButton.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Callout, Empty } from "../ui/States.tsx"
import type { Codec } from "../url/Codec.ts"
import { useUrlState } from "../url/useUrlState.ts"
import { playerOfAddress, playersAddress } from "./Address.ts"
import { Erase } from "./Erase.tsx"
import { PlayerFacts } from "./PlayerFacts.tsx"
import type { PlayerRecord } from "./PlayerQueries.ts"
import { usePlayer } from "./PlayerQueries.ts"
import { Timeline } from "./Timeline.tsx"
import "../theme/markers.css"
import "../theme/players.css"

const codec: Codec<{ readonly type: string }> = {
  read: (parameters) => ({ type: parameters.get("type") ?? "" }),
  write: ({ type }) => new URLSearchParams(type === "" ? {} : { type })
}

const Back = () => {
  const project = useProject()
  return (
    <Link className="button button-small" href={playersAddress(project)}>
      All players
    </Link>
  )
}

const Erased = ({ erased }: { readonly erased: Answer<"players.erase">["erased"] }) => (
  <InsteadOfPage>
    <Empty title="The player is erased" action={<Back />}>
      {countText(erased.markers, "marker")}, {countText(erased.cohortMemberships, "membership")} in cohorts,{" "}
      {countText(erased.assignments, "assignment")} and {countText(erased.clicks, "click")} are gone.
    </Empty>
  </InsteadOfPage>
)

/** What one may do with everything that is kept of a player. */
const Actions = ({ player, onErase }: { readonly player: PlayerRecord; readonly onErase: () => void }) => {
  const { applicationId, environmentId, may } = useProject()
  const { unitId } = player
  const save = useMutation({
    mutationFn: () => callForText("players.export", { path: { applicationId, unitId }, environment: environmentId }),
    onSuccess: (text) => download("player.ndjson", "application/x-ndjson", text)
  })
  const isAllowed = may("players:delete")
  return (
    <div className="player-actions">
      <div className="row">
        <CopyButton text={unitId} label="Copy id" />
        <Button type="button" className="button button-small" disabled={save.isPending} onClick={() => save.mutate()}>
          <Icon name="down" size={14} />
          {save.isPending ? "Exporting …" : "Export"}
        </Button>
        <button
          type="button"
          className="button button-small button-danger"
          disabled={!isAllowed}
          aria-describedby={isAllowed ? undefined : "erase-denied"}
          onClick={onErase}
        >
          Erase …
        </button>
      </div>
      {!isAllowed && (
        <small className="faint" id="erase-denied">
          {deniedTo("Erasing", "players:delete")}
        </small>
      )}
      {save.error !== null && <Callout tone="bad">{save.error.message}</Callout>}
    </div>
  )
}

const OnePlayer = ({ unitId }: { readonly unitId: string }) => {
  const project = useProject()
  const where = useWhere()
  const client = useQueryClient()
  const [{ type }, change] = useUrlState(codec)
  const [isErasing, setErasing] = useState(false)
  const [erased, setErased] = useState<Answer<"players.erase">["erased"] | null>(null)
  const player = usePlayer(where, unitId)
  const firstSeenAt = player.data?.firstSeenAt
  const [now] = useState(() => Date.now())
  // Clocks of games may run a little ahead.
  const span = useMemo(
    () => ({ from: firstSeenAt === undefined ? now : Date.parse(firstSeenAt), to: now + dayMillis }),
    [firstSeenAt, now]
  )
  if (erased !== null) return <Erased erased={erased} />
  if (player.data === undefined) {
    const isUnknown = player.error instanceof ApiFailure && player.error.code === "PLAYER_NOT_FOUND"
    return isUnknown ? (
      <InsteadOfPage>
        <Empty title="Nothing is known of this player" action={<Back />}>
          No marker that is kept in this environment is theirs: the id may be mistyped, the player erased, or everything
          past retention.
        </Empty>
      </InsteadOfPage>
    ) : (
      <UnansweredPage error={player.error} retry={() => void player.refetch()} />
    )
  }
  const end = (outcome: Answer<"players.erase">) => {
    setErased(outcome.erased)
    for (const key of ["players", "player", "timeline", "recent", "who", "raw"])
      client.removeQueries({ queryKey: [key] })
  }
  return (
    <div className="page">
      <header className="page-head">
        <div className="player-head">
          <p>
            <Link href={playersAddress(project)}>Players</Link>
          </p>
          <h1 className="player-id">{unitId}</h1>
        </div>
        <Actions player={player.data} onErase={() => setErasing(true)} />
      </header>
      <div className="player">
        <PlayerFacts player={player.data} now={now} />
        <Timeline unitId={unitId} span={span} type={type} onType={(next) => change(() => ({ type: next }))} />
      </div>
      {isErasing && <Erase player={player.data} onErased={end} onClose={() => setErasing(false)} />}
    </div>
  )
}

/** One player: who they are, where they belong, and what they did. */
export const Player = () => {
  const unitId = playerOfAddress(window.location.pathname)
  return <OnePlayer key={unitId} unitId={unitId} />
}
