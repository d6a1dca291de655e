import { dayMillis } from "../../domain/Durations.ts"
import { useState } from "react"
import { Link } from "wouter"
import type { Answer } from "../api/Wire.ts"
import { useMarkerTypes, useNewestMarkers } from "../api/queries.ts"
import { useProject, useWhere } from "../shell/Project.tsx"
import { numberText } from "../text/Numbers.ts"
import { clockText } from "../text/Times.ts"
import { Icon } from "../ui/Icon.tsx"
import { Callout, Empty, Failed, Skeleton } from "../ui/States.tsx"
import { joinParts } from "../url/Parts.ts"
import { useUrlState } from "../url/useUrlState.ts"
import "../theme/markers.css"

type Marker = Answer<"markers.raw">["items"][number]

const pollEvery = 2000
const shown = 200
const lookBack = 7 * dayMillis
const lookAhead = dayMillis

const codec = {
  read: (parameters: URLSearchParams) => ({ type: parameters.get("type") ?? "", unit: parameters.get("player") ?? "" }),
  write: ({ type, unit }: { readonly type: string; readonly unit: string }) => {
    const parameters = new URLSearchParams()
    if (type !== "") parameters.set("type", type)
    if (unit !== "") parameters.set("player", unit)
    return parameters
  }
}

const valuesText = ({ arguments: args, properties }: Marker): string =>
  Object.entries({ ...args, ...properties })
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(" ") : String(value)}`)
    .join(" · ")

const MarkerRow = ({ marker, timezone }: { readonly marker: Marker; readonly timezone: string }) => (
  <details className="marker">
    <summary>
      <time dateTime={marker.timestamp}>{clockText(marker.timestamp, timezone)}</time>
      <b>{marker.type}</b>
      <span className="marker-unit">{marker.unitId ?? "–"}</span>
      <span className="faint marker-values">{valuesText(marker)}</span>
      {marker.clamped && <span className="tag tag-warning">clock was ahead</span>}
    </summary>
    <pre tabIndex={0} aria-label={`${marker.type} as JSON`}>
      <code>{JSON.stringify(marker, null, 2)}</code>
    </pre>
  </details>
)

/** The newest markers as they come in: the programmer's debugger while the game runs. */
export const LiveMarkers = () => {
  const { applicationId, environmentId, environment, timezone } = useProject()
  const where = useWhere()
  const [filter, change] = useUrlState(codec)
  const [isPaused, setPaused] = useState(false)
  const types = useMarkerTypes(where)
  const ask = (now: number) => ({
    from: new Date(now - lookBack).toISOString(),
    to: new Date(now + lookAhead).toISOString(),
    limit: shown,
    ...(filter.type === "" ? {} : { types: [filter.type] as const }),
    ...(filter.unit === "" ? {} : { unitId: filter.unit })
  })
  const markers = useNewestMarkers(where, ask, [filter.type, filter.unit], isPaused ? false : pollEvery)
  const items = markers.data?.items ?? []
  const isFiltered = filter.type !== "" || filter.unit !== ""
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1>Live markers</h1>
          <p>
            The newest {numberText(shown)} of {environment.name}, up to seven days back, every two seconds
          </p>
        </div>
        <div className="row">
          <button type="button" className="button" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
            <Icon name={isPaused ? "play" : "pause"} size={14} />
            {isPaused ? "Go on" : "Pause"}
          </button>
        </div>
      </header>
      <section className="card" aria-label="Markers">
        <div className="toolbar">
          <label className="field-inline">
            Type
            <select
              className="input"
              value={filter.type}
              onChange={(event) => change((state) => ({ ...state, type: event.target.value }))}
            >
              <option value="">every type</option>
              {types.data?.map(({ name, displayName }) => (
                <option key={name} value={name}>
                  {displayName ?? name}
                </option>
              ))}
            </select>
          </label>
          <label className="field-inline">
            Player
            <input
              key={environmentId}
              className="input"
              defaultValue={filter.unit}
              placeholder="exact id, such as your own"
              onChange={(event) =>
                change((state) => ({ ...state, unit: event.target.value.trim() }), { replace: true })
              }
            />
          </label>
          {filter.type !== "" && (
            <Link
              className="button button-small"
              href={`/p/${applicationId}/${environment.alias}/insights?m=${encodeURIComponent(joinParts([filter.type, "totalEvents"]))}`}
            >
              <Icon name="chart" size={14} />
              Chart of {filter.type}
            </Link>
          )}
        </div>
        {markers.error !== null && items.length > 0 && <Callout tone="bad">Not connected, trying again.</Callout>}
        {markers.data === undefined ? (
          markers.error === null ? (
            <Skeleton />
          ) : (
            <Failed error={markers.error} retry={() => void markers.refetch()} />
          )
        ) : items.length === 0 ? (
          <Empty
            title={isFiltered ? "No such marker in the last seven days" : "No marker in the last seven days"}
            action={
              isFiltered ? undefined : (
                <Link className="button button-primary" href={`/p/${applicationId}/${environment.alias}/setup`}>
                  Send the first marker
                </Link>
              )
            }
          >
            {isFiltered
              ? "It shows here as soon as one arrives. Ids and types are compared letter by letter."
              : "Markers show here within two seconds of their arrival."}
          </Empty>
        ) : (
          <div className="markers">
            {items.map((marker) => (
              <MarkerRow key={marker.sequence} marker={marker} timezone={timezone} />
            ))}
          </div>
        )}
      </section>
    </div>
  )
}
