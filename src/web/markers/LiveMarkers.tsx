import { useCallback } from "react"
import { Link } from "wouter"
import type { StreamStatus } from "../api/StreamSource.ts"
import { useProject, useWhere } from "../shell/Project.tsx"
import { numberText } from "../text/Numbers.ts"
import { Icon } from "../ui/Icon.tsx"
import { Callout, Empty, Failed, Skeleton } from "../ui/States.tsx"
import { useUrlState } from "../url/useUrlState.ts"
import { mostRows } from "./LiveRows.ts"
import { MarkerFilter } from "./MarkerFilter.tsx"
import { useMe } from "./Me.ts"
import { RateList } from "./RateList.tsx"
import { RowList } from "./RowList.tsx"
import { ScrollMark } from "./ScrollMark.tsx"
import type { Filter } from "./useLiveRows.ts"
import { useLiveRows } from "./useLiveRows.ts"
import "../theme/markers.css"

const codec = {
  read: (parameters: URLSearchParams): Filter => ({
    type: parameters.get("type") ?? "",
    unit: parameters.get("player") ?? ""
  }),
  write: ({ type, unit }: Filter) => {
    const parameters = new URLSearchParams()
    if (type !== "") parameters.set("type", type)
    if (unit !== "") parameters.set("player", unit)
    return parameters
  }
}

const statusWords: Readonly<Record<StreamStatus, string>> = {
  connecting: "Connecting",
  open: "Live",
  retrying: "Not connected, trying again"
}

const nothingWords = (isFiltered: boolean) =>
  isFiltered
    ? "It shows here as soon as one arrives. Ids and types are compared letter by letter."
    : "Markers show here within a second of their arrival."

const LiveList = ({ filter, me, home }: { readonly filter: Filter; readonly me: string; readonly home: string }) => {
  const where = useWhere()
  const live = useLiveRows(where, filter)
  const { rows, waiting, isPaused, isPast, setPaused, setPast, status, newest } = live
  // The same function at each render, so that rows stay as they are.
  const onOpen = useCallback(() => setPaused(true), [setPaused])
  const isFiltered = filter.type !== "" || filter.unit !== ""
  const goOn = () => {
    setPaused(false)
    if (isPast) document.getElementById("content")?.scrollIntoView()
  }
  return (
    <section className="card live-list" aria-label="Markers">
      <div className="live-bar">
        <span className={`live-status live-${isPaused || isPast ? "held" : status}`} role="status">
          <i className="pulse" />
          {isPaused || isPast ? "Paused" : statusWords[status]}
        </span>
        {waiting.length > 0 && (
          <button type="button" className="button button-small button-primary" onClick={goOn}>
            {numberText(waiting.length)}
            {waiting.length === mostRows ? " or more" : ""} new
          </button>
        )}
        <button
          type="button"
          className="button button-small toolbar-end"
          aria-pressed={isPaused}
          aria-keyshortcuts="Space"
          onClick={() => (isPaused ? goOn() : setPaused(true))}
        >
          <Icon name={isPaused ? "play" : "pause"} size={14} />
          {isPaused ? "Go on" : "Pause"}
        </button>
      </div>
      <ScrollMark onPast={setPast} />
      {newest.error !== null && rows.length > 0 && <Callout tone="bad">Not connected, trying again.</Callout>}
      {rows.length > 0 ? (
        <RowList rows={rows} me={me} onOpen={onOpen} />
      ) : newest.data === undefined ? (
        newest.error === null ? (
          <Skeleton />
        ) : (
          <Failed error={newest.error} retry={() => void newest.refetch()} />
        )
      ) : (
        <Empty
          title={isFiltered ? "No such marker in the last seven days" : "No marker in the last seven days"}
          action={
            isFiltered ? undefined : (
              <Link className="button button-primary" href={`${home}/setup`}>
                Send the first marker
              </Link>
            )
          }
        >
          {nothingWords(isFiltered)}
        </Empty>
      )}
    </section>
  )
}

/** Markers as they come in, the newest first: the programmer's debugger while the game runs. */
export const LiveMarkers = () => {
  const { applicationId, environmentId, environment } = useProject()
  const where = useWhere()
  const [filter, change] = useUrlState(codec)
  const [me, setMe] = useMe(applicationId)
  const home = `/p/${applicationId}/${environment.alias}`
  const set = (part: Partial<Filter>, options?: { readonly replace: boolean }) =>
    change((state) => ({ ...state, ...part }), options)
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1>Live markers</h1>
          <p>
            The newest {numberText(mostRows)} of {environment.name} as they arrive. Space pauses, and so does reading
            one.
          </p>
        </div>
      </header>
      <section className="card live-filter" aria-label="Filter">
        <MarkerFilter where={where} filter={filter} me={me} home={home} onChange={set} onMe={setMe} />
      </section>
      <div className="live">
        <LiveList key={`${environmentId} ${filter.type} ${filter.unit}`} filter={filter} me={me} home={home} />
        <RateList key={environmentId} where={where} type={filter.type} onType={(type) => set({ type })} />
      </div>
    </div>
  )
}
