import { useMemo } from "react"
import { Link } from "wouter"
import { dayMillis } from "../../domain/Durations.ts"
import { useProject, useWhere } from "../shell/Project.tsx"
import { numberText } from "../text/Numbers.ts"
import { bucketName } from "../text/Times.ts"
import { valueText } from "../text/Values.ts"
import { Activity, shownDays } from "./Activity.tsx"
import { playersAddress } from "./Address.ts"
import { PlayerConfigurations } from "./PlayerConfigurations.tsx"
import { PlayerExperiments } from "./PlayerExperiments.tsx"
import type { PlayerRecord } from "./PlayerQueries.ts"
import { useRecentMarkers } from "./PlayerQueries.ts"
import { Moment } from "../ui/Moment.tsx"

/** When a player was here, what their properties say, and where they belong. */
export const PlayerFacts = ({ player, now }: { readonly player: PlayerRecord; readonly now: number }) => {
  const project = useProject()
  const where = useWhere()
  const { timezone } = project
  const span = useMemo(() => ({ from: now - shownDays * dayMillis, to: now + dayMillis }), [now])
  const recent = useRecentMarkers(where, player.unitId, span)
  const properties = Object.entries(player.profile)
  return (
    <div className="player-facts">
      <section className="card" aria-label="Activity">
        <dl className="player-numbers">
          <div>
            <dt>First seen</dt>
            <dd>
              <Moment at={player.firstSeenAt} />
            </dd>
          </div>
          <div>
            <dt>Last seen</dt>
            <dd>
              <Moment at={player.lastSeenAt} />
            </dd>
          </div>
          <div>
            <dt>Markers</dt>
            <dd>{numberText(player.markerCount)}</dd>
          </div>
        </dl>
        {recent.error === null && (
          <Activity
            markers={recent.data?.items}
            isCut={(recent.data?.nextCursor ?? null) !== null}
            now={now}
            timezone={timezone}
          />
        )}
      </section>
      <section className="card" aria-label="Profile">
        <h2>Profile</h2>
        {properties.length === 0 ? (
          <p className="faint">No marker of this player carried a property.</p>
        ) : (
          <dl className="player-profile">
            {properties.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{valueText(value)}</dd>
              </div>
            ))}
          </dl>
        )}
      </section>
      <section className="card" aria-label="Cohorts">
        <h2>Cohorts</h2>
        {player.cohorts.length === 0 ? (
          <p className="faint">In no cohort.</p>
        ) : (
          <ul className="player-list">
            {player.cohorts.map(({ id, name, enteredAt }) => (
              <li key={id}>
                <Link href={`${playersAddress(project)}?cohort=${id}`}>{name}</Link>
                <small className="faint">since {bucketName(enteredAt, "day", timezone)}</small>
              </li>
            ))}
          </ul>
        )}
      </section>
      <section className="card" aria-label="Experiments">
        <h2>Experiments</h2>
        <PlayerExperiments player={player} />
      </section>
      {project.may("configurations:read") && (
        <section className="card" aria-label="Configurations">
          <h2>Configurations</h2>
          <PlayerConfigurations unitId={player.unitId} />
        </section>
      )}
    </div>
  )
}
