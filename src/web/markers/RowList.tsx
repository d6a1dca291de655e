import { memo, useState } from "react"
import { PlayerLink } from "../players/PlayerLink.tsx"
import { numberText } from "../text/Numbers.ts"
import { Icon } from "../ui/Icon.tsx"
import { Moment } from "../ui/Moment.tsx"
import type { LiveRow, Marker } from "./LiveRows.ts"
import { RefusedRow } from "./RefusedRow.tsx"

interface Context {
  /** The own test player; empty where nobody said. */
  readonly me: string
  /** A row was opened, to be read. */
  readonly onOpen: () => void
}

const valuesText = ({ arguments: args, properties }: Marker): string =>
  Object.entries({ ...args, ...properties })
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(" ") : String(value)}`)
    .join(" · ")

/** The JSON of a marker and what to do about it, made when it is looked at. */
const Opened = ({ marker }: { readonly marker: Marker }) => (
  <div className="marker-opened">
    {marker.unitId !== null && (
      <PlayerLink className="button button-small" unitId={marker.unitId}>
        <Icon name="person" size={14} />
        Player {marker.unitId}
      </PlayerLink>
    )}
    <pre tabIndex={0} aria-label={`${marker.type} as JSON`}>
      <code>{JSON.stringify(marker, null, 2)}</code>
    </pre>
  </div>
)

const MarkerRow = memo(({ marker, me, onOpen }: Context & { readonly marker: Marker }) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      className="marker"
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open)
        if (currentTarget.open) onOpen()
      }}
    >
      <summary>
        <Moment at={marker.receivedAt} as="clock" />
        <b>{marker.type}</b>
        <span className="marker-unit">{marker.unitId ?? "–"}</span>
        {me !== "" && marker.unitId === me && <span className="tag">you</span>}
        <span className="faint marker-values">{valuesText(marker)}</span>
        {marker.clamped && <span className="tag tag-warning">clock was ahead</span>}
      </summary>
      {isOpen && <Opened marker={marker} />}
    </details>
  )
})

/** Markers as they arrived, the newest first. */
export const RowList = ({ rows, ...context }: Context & { readonly rows: ReadonlyArray<LiveRow> }) => (
  <div className="markers">
    {rows.map((row) => {
      switch (row.kind) {
        case "marker":
          return <MarkerRow key={row.key} {...context} marker={row.marker} />
        case "refused":
          return <RefusedRow key={row.key} marker={row.marker} at={row.at} />
        case "more":
          return (
            <p key={row.key} className="marker-more faint">
              {numberText(row.count)} more arrived in that second
            </p>
          )
      }
    })}
  </div>
)
