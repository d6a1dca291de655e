import { clockText } from "../text/Times.ts"
import type { RefusedMarker } from "./LiveRows.ts"
import "../theme/markers.css"

interface Props {
  readonly marker: RefusedMarker
  readonly at: string
  readonly timezone: string
}

/** A marker that was refused, and why. */
export const RefusedRow = ({ marker, at, timezone }: Props) => (
  <div className="marker marker-refused">
    <p>
      <time dateTime={at}>{clockText(at, timezone)}</time>
      <b>{marker.type ?? "a marker"}</b>
      <span className="marker-unit">{marker.unitId ?? "–"}</span>
      <span>
        Refused: {marker.reason}. <code>{marker.code}</code>
      </span>
    </p>
  </div>
)
