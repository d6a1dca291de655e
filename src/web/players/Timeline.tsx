import { useMarkerTypes } from "../api/queries.ts"
import { useWhere } from "../shell/Project.tsx"
import { countText, durationText } from "../text/Numbers.ts"
import { valueText } from "../text/Values.ts"
import { Moment } from "../ui/Moment.tsx"
import { ShowMore } from "../ui/Pages.tsx"
import { Empty, Failed, Skeleton } from "../ui/States.tsx"
import type { Marker, PlayerSpan } from "./PlayerQueries.ts"
import { useTimeline } from "./PlayerQueries.ts"
import type { Session } from "./Sessions.ts"
import { sessionsOf } from "./Sessions.ts"

interface Props {
  readonly unitId: string
  readonly span: PlayerSpan
  /** "" for every type. */
  readonly type: string
  readonly onType: (type: string) => void
}

const MarkerLine = ({ marker }: { readonly marker: Marker }) => (
  <li>
    <details className="marker">
      <summary>
        <Moment at={marker.timestamp} as="clock" />
        <b>{marker.type}</b>
        <span className="faint marker-values">
          {Object.entries(marker.arguments)
            .map(([name, value]) => `${name} ${valueText(value)}`)
            .join(" · ")}
        </span>
      </summary>
      <pre tabIndex={0} aria-label={`${marker.type} as JSON`}>
        <code>{JSON.stringify(marker, null, 2)}</code>
      </pre>
    </details>
  </li>
)

const SessionBlock = ({ session }: { readonly session: Session<Marker> }) => {
  const first = session.markers.at(-1)
  return (
    <li className="session">
      {session.pause !== null && <p className="session-pause">{durationText(session.pause)} away</p>}
      <h3>
        {first !== undefined && <Moment at={first.timestamp} as="weekday" />}
        <small className="faint">
          {countText(session.markers.length, "marker")}
          {session.seconds > 0 ? ` in ${durationText(session.seconds)}` : ""}
        </small>
      </h3>
      <ol>
        {session.markers.map((marker) => (
          <MarkerLine key={marker.sequence} marker={marker} />
        ))}
      </ol>
    </li>
  )
}

/** What a player did, newest first, session by session. */
export const Timeline = ({ unitId, span, type, onType }: Props) => {
  const where = useWhere()
  const types = useMarkerTypes(where)
  const timeline = useTimeline(where, unitId, type, span)
  const markers = timeline.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <section className="card" aria-label="Timeline" aria-busy={timeline.isFetching}>
      <div className="toolbar">
        <h2>Timeline</h2>
        <label className="field-inline toolbar-end">
          Type
          <select className="input" value={type} onChange={(event) => onType(event.target.value)}>
            <option value="">every type</option>
            {type !== "" && types.data?.every(({ name }) => name !== type) === true && (
              <option value={type}>{type}</option>
            )}
            {types.data?.map(({ name, displayName }) => (
              <option key={name} value={name}>
                {displayName ?? name}
              </option>
            ))}
          </select>
        </label>
      </div>
      {timeline.data === undefined ? (
        timeline.error === null ? (
          <Skeleton />
        ) : (
          <Failed error={timeline.error} retry={() => void timeline.refetch()} />
        )
      ) : markers.length === 0 ? (
        <Empty title={type === "" ? "No marker is kept" : `No ${type} by this player`}>
          {type === "" ? "What they did is past retention." : "Choose another type to see what else they did."}
        </Empty>
      ) : (
        <>
          <ol className="timeline">
            {sessionsOf(markers).map((session) => (
              <SessionBlock key={session.markers[0]?.sequence} session={session} />
            ))}
          </ol>
          <ShowMore list={timeline} busy="Asking …">
            Show earlier
          </ShowMore>
        </>
      )}
    </section>
  )
}
