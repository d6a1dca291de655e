import type { StreamEvents } from "../api/StreamEvents.ts"

type Streamed = NonNullable<StreamEvents["markers"]["items"]>[number]

/** A marker as the stream or a listing shows it; only listings number them. */
export type Marker = Streamed & { readonly sequence?: number }

export type RefusedMarker = StreamEvents["rejected"]["items"][number]

/** A row of the page. `at` is when it arrived, as ISO text. */
export type LiveRow =
  | { readonly kind: "marker"; readonly key: string; readonly at: string; readonly marker: Marker }
  | { readonly kind: "refused"; readonly key: string; readonly at: string; readonly marker: RefusedMarker }
  | { readonly kind: "more"; readonly key: string; readonly at: string; readonly count: number }

/** Rows that the page keeps. */
export const mostRows = 500

/** Markers in the order in which they arrived, as rows, newest first. */
export const markerRows = (markers: ReadonlyArray<Marker>): ReadonlyArray<LiveRow> =>
  markers
    .map((marker) => ({
      kind: "marker" as const,
      key: marker.markerId ?? `sequence ${marker.sequence ?? ""}`,
      at: marker.receivedAt,
      marker
    }))
    .toReversed()

/** A second of the stream as rows; what it left out is one row. */
export const streamedRows = ({ at, items = [], leftOut = 0 }: StreamEvents["markers"]): ReadonlyArray<LiveRow> => [
  ...(leftOut > 0 ? [{ kind: "more" as const, key: `more ${at}`, at, count: leftOut }] : []),
  ...markerRows(items)
]

/** A second of refused markers as rows. */
export const refusedRows = ({ at, items, leftOut }: StreamEvents["rejected"]): ReadonlyArray<LiveRow> => [
  ...(leftOut > 0 ? [{ kind: "more" as const, key: `more refused ${at}`, at, count: leftOut }] : []),
  ...items
    .map((marker, index) => ({ kind: "refused" as const, key: `refused ${at} ${index}`, at, marker }))
    .toReversed()
]

/** Both together, newest first and each once, the newest `mostRows` of them. */
export const merged = (present: ReadonlyArray<LiveRow>, arrived: ReadonlyArray<LiveRow>): ReadonlyArray<LiveRow> => {
  const known = new Set(present.map(({ key }) => key))
  const fresh = arrived.filter(({ key }) => !known.has(key))
  if (fresh.length === 0) return present
  return [...fresh, ...present].sort((one, other) => Date.parse(other.at) - Date.parse(one.at)).slice(0, mostRows)
}

/** What is on the screen, and what arrived while it is held. */
export interface LiveState {
  readonly rows: ReadonlyArray<LiveRow>
  readonly waiting: ReadonlyArray<LiveRow>
  readonly isHeld: boolean
}

export type LiveAction =
  | { readonly kind: "arrived"; readonly rows: ReadonlyArray<LiveRow> }
  | { readonly kind: "held"; readonly isHeld: boolean }

export const nothing: LiveState = { rows: [], waiting: [], isHeld: false }

export const advance = (state: LiveState, action: LiveAction): LiveState => {
  if (action.kind === "held") {
    if (action.isHeld === state.isHeld) return state
    return action.isHeld
      ? { ...state, isHeld: true }
      : { rows: merged(state.rows, state.waiting), waiting: [], isHeld: false }
  }
  if (!state.isHeld || state.rows.length === 0) return { ...state, rows: merged(state.rows, action.rows) }
  const known = new Set(state.rows.map(({ key }) => key))
  const fresh = action.rows.filter(({ key }) => !known.has(key))
  return { ...state, waiting: merged(state.waiting, fresh) }
}
