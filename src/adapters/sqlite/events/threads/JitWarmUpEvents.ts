import type { Event } from "../../../../domain/analytics/markers/Event.ts"
import { range, types, unitId } from "./JitWarmUpPlans.ts"

const units = 400
const sessions = 600

/** A deterministic number for a row: scattered, which does not compress, or from a repeating pattern, which does. */
const noiseOf = (row: number, isScattered: boolean): number =>
  isScattered ? Math.imul(row + 1, 2_654_435_761) >>> 8 : (row % 71) * 97

/**
 * The made-up marker `index` of `count`. Markers lie evenly in `range` and take turns at the types; each type has the
 * same values. Marker ids of scattered and of repeating markers differ, so that the writer takes none for a duplicate.
 */
export const warmUpEvent = (index: number, count: number, isScattered: boolean): Event => {
  const noise = noiseOf(Math.floor(index / types.length), isScattered)
  const unit = noise % units
  const markerNumber = isScattered ? index : count + index
  return {
    markerId: `00000000-0000-4000-8000-${String(markerNumber).padStart(12, "0")}`,
    type: types[index % types.length] ?? types[0],
    unitId: unit === 0 ? unitId : `u${unit}`,
    sessionId: `s${noise % sessions}`,
    serverId: null,
    timestamp: range.from + Math.floor((index * (range.to - range.from)) / count),
    receivedAt: range.to,
    clamped: false,
    arguments: { whole: noise % 100, part: (noise % 9999) / 100, text: `t${noise % 300}` },
    properties: noise % 6 === 0 ? {} : { text: `t${noise % 6}` },
    position: noise % 4 === 0 ? [(noise % 1009) / 3, (noise % 5000) / 100, (noise % 9999) / 10] : null
  }
}
