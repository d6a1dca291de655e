import type { PlayerPlace, PlayersPlan, PlayersSort } from "./PlayersPlan.ts"

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff

/** Compares two texts by their code points, which is the order of their UTF-8 bytes; negative when `a` comes first. */
export const byCodePoint = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)]
    if (left === right) continue
    // A surrogate stands for a code point above all that one code unit can hold.
    if (isSurrogate(left) !== isSurrogate(right)) return isSurrogate(left) ? 1 : -1
    return left - right
  }
  return a.length - b.length
}

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
