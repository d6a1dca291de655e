import { useCallback, useEffect, useReducer, useState } from "react"
import type { Where } from "../api/queries.ts"
import { useNewestMarkers } from "../api/questions.ts"
import { useShownMarkers, useStream, useStreamStatus } from "../api/Stream.ts"
import { dayMillis } from "../../domain/Durations.ts"
import { advance, markerRows, nothing, refusedRows, streamedRows } from "./LiveRows.ts"

export interface Filter {
  readonly type: string
  readonly unit: string
}

/** Milliseconds between looks while there is no stream. */
const pollEvery = 2000
/** Markers that a page begins with. */
const begunWith = 200
const lookBack = 7 * dayMillis
const lookAhead = dayMillis

/** Whether a key is meant for what has the focus. */
const isForControl = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("input, select, textarea, button, summary, pre, [role=dialog]") !== null

/** Space pauses and goes on. */
const useSpace = (onSpace: () => void): void => {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== " " || event.ctrlKey || event.metaKey || event.altKey || isForControl(event.target)) return
      event.preventDefault()
      onSpace()
    }
    document.addEventListener("keydown", onKey)
    return () => document.removeEventListener("keydown", onKey)
  }, [onSpace])
}

/** The newest markers of a filter as they arrive. Give the component another key where the filter is another. */
export const useLiveRows = (where: Where, { type, unit }: Filter) => {
  const [state, dispatch] = useReducer(advance, nothing)
  const [isPaused, setPaused] = useState(false)
  const [isPast, setPast] = useState(false)
  const status = useStreamStatus(where)
  const isHeld = isPaused || isPast
  const newest = useNewestMarkers(
    where,
    (now) => ({
      from: new Date(now - lookBack).toISOString(),
      to: new Date(now + lookAhead).toISOString(),
      limit: begunWith,
      ...(type === "" ? {} : { types: [type] as const }),
      ...(unit === "" ? {} : { unitId: unit })
    }),
    [type, unit],
    status === "open" ? false : pollEvery
  )
  const { data, refetch } = newest
  useShownMarkers(where, { type, unitId: unit })
  useStream(where, "markers", (told) => dispatch({ kind: "arrived", rows: streamedRows(told) }))
  useStream(where, "rejected", (told) => dispatch({ kind: "arrived", rows: refusedRows(told) }))
  // What arrived before the stream was there, or while it was away.
  useStream(where, "open", () => void refetch())
  useEffect(() => {
    if (data !== undefined) dispatch({ kind: "arrived", rows: markerRows(data.items.toReversed()) })
  }, [data])
  useEffect(() => dispatch({ kind: "held", isHeld }), [isHeld])
  useSpace(useCallback(() => setPaused((paused) => !paused), []))
  return { ...state, isPaused, isPast, setPaused, setPast, status, newest }
}
