import type { Event } from "../analytics/markers/Event.ts"
import type { Rejection } from "../ingest/Rejection.ts"
import { Sample } from "./Sample.ts"

/** What a listener wants to see: markers of that type, of that unit, or of both; null is every one. */
export interface View {
  readonly type: string | null
  readonly unitId: string | null
  /** Whether markers themselves are shown beside their counts. */
  readonly withMarkers: boolean
}

/** A refused marker, as far as it could be read. */
export interface RefusedMarker extends Pick<Rejection, "code" | "reason" | "markerId"> {
  readonly type: string | null
  readonly unitId: string | null
}

/** Markers that one view is shown in a second. */
const mostMarkers = { items: 50, bytes: 48 * 1024 }

/** Refused markers that one view is shown in a second. */
const mostRefused = { items: 20, bytes: 8 * 1024 }

const shown = ({ serverId: _, timestamp, receivedAt, ...event }: Event) => ({
  ...event,
  timestamp: new Date(timestamp).toISOString(),
  receivedAt: new Date(receivedAt).toISOString()
})

/** What everybody with the same view sees. Its cost and its memory do not depend on how many they are. */
export class Sight {
  readonly view: View
  readonly markers = new Sample(mostMarkers)
  readonly refused = new Sample(mostRefused)
  /** How many have this view. */
  viewers = 0

  constructor(view: View) {
    this.view = view
  }

  /** Shows a stored marker, if the view shows markers and there is room in this second. */
  addMarker(event: Event): void {
    if (this.view.withMarkers) this.markers.offer(() => shown(event))
  }

  /** Shows a refused marker, if there is room in this second. */
  addRefused(marker: RefusedMarker): void {
    this.refused.offer(() => marker)
  }
}
