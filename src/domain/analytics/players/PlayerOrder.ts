import { byCodePoint } from "../../CodePointOrder.ts"
import type { PlayerPlace, PlayersPlan, PlayersSort } from "./PlayersPlan.ts"

type Key = "firstSeenAt" | "lastSeenAt" | "markerCount"

/** The numbers that decide, the first before the second; what is left equal is decided by the id. */
export const sortKeys: Readonly<Record<PlayersSort, ReadonlyArray<Key>>> = {
  lastSeen: ["lastSeenAt", "firstSeenAt", "markerCount"],
  firstSeen: ["firstSeenAt", "lastSeenAt", "markerCount"],
  markerCount: ["markerCount", "lastSeenAt", "firstSeenAt"],
  unitId: []
}

/** Compares places in the plan's order; zero only for the same player. */
export const playerOrder = ({ sort, direction }: Pick<PlayersPlan, "sort" | "direction">) => {
  const keys = sortKeys[sort]
  const sign = direction === "ascending" ? 1 : -1
  return (a: PlayerPlace, b: PlayerPlace): number => {
    for (const key of keys) if (a[key] !== b[key]) return a[key] < b[key] ? -sign : sign
    return sign * byCodePoint(a.unitId, b.unitId)
  }
}
