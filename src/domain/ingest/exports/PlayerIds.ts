/** The id of a player by each other id that is the same player. */
export type PlayerIds = ReadonlyMap<string, string>

/** What an event says of two ids: `from` is the player `to`, since `at` (epoch ms). */
export interface SamePlayer {
  readonly from: string
  readonly to: string
  readonly at: number
  /** Whether it holds where `from` is a player who was identified before. */
  readonly isForced: boolean
}

/** Ids, each of which leads to at most one other, and none in a circle. */
const chains = () => {
  const next = new Map<string, string>()
  /** The last id of a chain; what leads there becomes short, so that long chains are not walked again and again. */
  const last = (id: string): string => {
    let end = id
    for (let to = next.get(end); to !== undefined; to = next.get(end)) end = to
    for (let at = id; at !== end;) {
      const to = next.get(at) ?? end
      next.set(at, end)
      at = to
    }
    return end
  }
  const lead = (from: string, to: string): void => {
    if (!next.has(from) && last(to) !== from) next.set(from, to)
  }
  const all = (): PlayerIds => new Map([...next.keys()].map((from) => [from, last(from)]))
  return { last, lead, all }
}

/** Players by pairs of ids, which may lead on: of several pairs with one `from` the first counts, and one that closes a circle is passed over. */
export const playerIds = (pairs: Iterable<readonly [from: string, to: string]>): PlayerIds => {
  const { lead, all } = chains()
  for (const [from, to] of pairs) lead(from, to)
  return all()
}

/**
 * Players by what the events of an export say of ids, in the order of their times. As PostHog does it, an id belongs to whom it was identified
 * as first, and a player who was identified becomes another one by force alone.
 */
export const foundPlayers = (found: Iterable<SamePlayer>): PlayerIds => {
  const { last, lead, all } = chains()
  const identified = new Set<string>()
  for (const { from, to, isForced } of [...found].toSorted((a, b) => a.at - b.at)) {
    if (isForced) lead(last(from), to)
    else if (!identified.has(from)) lead(from, to)
    identified.add(to)
  }
  return all()
}

/** The marker of an event with the id of its player. */
export const ofPlayer = (marker: Readonly<Record<string, unknown>>, players: PlayerIds) => {
  const { userId } = marker
  const player = typeof userId === "string" || typeof userId === "number" ? players.get(String(userId)) : undefined
  return player === undefined ? marker : { ...marker, userId: player }
}
