import type { SeenVersion } from "../question/Question.ts"
import type { TimeSpan } from "../time/Buckets.ts"
import type { Catalogue } from "./Catalogue.ts"

/** Versions in one answer, and those that were first seen at the same instant as the last of them. */
export const mostVersions = 1000

/**
 * The versions of the game that were first seen in the range [from, to), the newest first, ties by text. An answer with `mostVersions` or more
 * may not be all: the others were first seen before the last of it.
 */
export const seenVersions = (catalogue: Catalogue, { from, to }: TimeSpan): ReadonlyArray<SeenVersion> => {
  const sights = new Map<string, number>()
  for (const { firstSights } of catalogue.names.values())
    for (const [value, at] of firstSights ?? []) {
      const version = String(value)
      if (version === "") continue
      sights.set(version, Math.min(at, sights.get(version) ?? Infinity))
    }
  const found = [...sights]
    .flatMap(([version, firstSeenAt]) => (firstSeenAt >= from && firstSeenAt < to ? [{ version, firstSeenAt }] : []))
    .sort((a, b) => b.firstSeenAt - a.firstSeenAt || (a.version < b.version ? -1 : 1))
  const last = found[mostVersions - 1]
  return last === undefined ? found : found.filter(({ firstSeenAt }) => firstSeenAt >= last.firstSeenAt)
}
