import { Moment } from "../ui/Moment.tsx"
import type { RefusedMarker } from "./LiveRows.ts"
import "../theme/markers.css"

interface Props {
  readonly marker: RefusedMarker
  readonly at: string
}

/** A marker that was refused, and why. */
export const RefusedRow = ({ marker, at }: Props) => (
  <div className="marker marker-refused">
    <p>
      <Moment at={at} as="clock" />
      <b>{marker.type ?? "a marker"}</b>
      <span className="marker-unit">{marker.unitId ?? "–"}</span>
      <span>
        Refused: {marker.reason}. <code>{marker.code}</code>
      </span>
    </p>
  </div>
)
