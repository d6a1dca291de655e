import { useCallback, useEffect, useRef, useSyncExternalStore } from "react"
import { tryConnection } from "./Connection.ts"
import type { Where } from "./queries.ts"
import type { StreamEvents } from "./StreamEvents.ts"
import type { Heard, StreamStatus } from "./StreamSource.ts"
import { openStream } from "./StreamSource.ts"

/** Which markers are to be shown beside their counts; an empty text stands for all. */
export interface Shown {
  readonly type: string
  readonly unitId: string
}

/** Milliseconds for which a tab that nobody sees keeps its stream. */
const hiddenFor = 30_000

/** Milliseconds that let a page change what it wants before the stream is opened anew. */
const settleFor = 50

const urlOf = ({ applicationId, environmentId }: Where, shown: Shown | undefined): string => {
  const query = new URLSearchParams({ environmentId: String(environmentId) })
  if (shown !== undefined) {
    query.set("markers", "1")
    if (shown.type !== "") query.set("type", shown.type)
    if (shown.unitId !== "") query.set("unitId", shown.unitId)
  }
  return `/application/${applicationId}/stream?${query.toString()}`
}

/** The stream of an environment in this tab: one connection at most, however many parts of the page listen. */
const tabStream = (where: Where) => {
  const listeners = new Set<(heard: Heard) => void>()
  const watchers = new Set<() => void>()
  const wanted: Array<Shown> = []
  let connection: StreamStatus = "connecting"
  let present: { readonly url: string; readonly close: () => void } | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let hideTimer: ReturnType<typeof setTimeout> | undefined
  let isHidden = false

  /** The address of the stream that the page wants now; undefined where it wants none. */
  const target = () =>
    (listeners.size > 0 || watchers.size > 0) && !isHidden ? urlOf(where, wanted.at(-1)) : undefined

  /** Until the page has the stream that it wants, it hears nothing that it could rely on. */
  const status = (): StreamStatus => (target() === present?.url ? connection : "connecting")

  const tellWatchers = () => {
    for (const watcher of [...watchers]) watcher()
  }

  const setConnection = (next: StreamStatus) => {
    connection = next
    tellWatchers()
  }

  const hear = (heard: Heard) => {
    if (heard.event === "status") {
      const next: StreamStatus = JSON.parse(heard.data)
      if (next === "retrying") tryConnection()
      return setConnection(next)
    }
    for (const listener of [...listeners]) listener(heard)
  }

  const settle = () => {
    const url = target()
    if (url === present?.url) return
    present?.close()
    if (url === undefined) present = undefined
    else {
      setConnection("connecting")
      present = { url, close: openStream(url, hear) }
    }
  }

  const changed = () => {
    clearTimeout(timer)
    timer = setTimeout(settle, settleFor)
    tellWatchers()
  }

  const hide = (hidden: boolean) => {
    isHidden = hidden
    changed()
    if (!hidden && present === undefined) hear({ event: "reset", data: '{"ids":[]}' })
  }

  document.addEventListener("visibilitychange", () => {
    clearTimeout(hideTimer)
    if (document.visibilityState === "hidden") hideTimer = setTimeout(() => hide(true), hiddenFor)
    else if (isHidden) hide(false)
  })

  const add = <Item>(items: Set<Item>, item: Item): (() => void) => {
    items.add(item)
    changed()
    return () => {
      items.delete(item)
      changed()
    }
  }

  return {
    listen: (listener: (heard: Heard) => void) => add(listeners, listener),
    watch: (watcher: () => void) => add(watchers, watcher),
    status,
    show: (shown: Shown) => {
      wanted.push(shown)
      changed()
      return () => {
        wanted.splice(wanted.indexOf(shown), 1)
        changed()
      }
    }
  }
}

const tabs = new Map<string, ReturnType<typeof tabStream>>()

const streamOf = (where: Where) => {
  const name = `${where.applicationId} ${where.environmentId}`
  const stream = tabs.get(name) ?? tabStream(where)
  tabs.set(name, stream)
  return stream
}

/** Calls `hear` with every event of that kind for as long as the component is shown. It may be another function at each render. */
export const useStream = <Kind extends keyof StreamEvents>(
  where: Where,
  kind: Kind,
  hear: (data: StreamEvents[Kind]) => void
): void => {
  const latest = useRef(hear)
  useEffect(() => {
    latest.current = hear
  }, [hear])
  useEffect(
    () =>
      streamOf(where).listen(({ event, data }) => {
        if (event === kind) latest.current(JSON.parse(data))
      }),
    [kind, where]
  )
}

/** How the stream is; a component that asks keeps it open. */
export const useStreamStatus = (where: Where): StreamStatus => {
  const stream = streamOf(where)
  return useSyncExternalStore(
    useCallback((watcher: () => void) => stream.watch(watcher), [stream]),
    stream.status
  )
}

/** Has the stream show markers themselves for as long as the component is shown. */
export const useShownMarkers = (where: Where, { type, unitId }: Shown): void => {
  useEffect(() => streamOf(where).show({ type, unitId }), [type, unitId, where])
}
