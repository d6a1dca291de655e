import type { Event, Value } from "../../src/domain/analytics/markers/Event.ts"

export const day = 86_400_000
export const firstDay = Date.UTC(2026, 0, 1)
export const days = 60
export const typeCount = 30
export const types = Array.from({ length: typeCount }, (_, at) => `Marker${String(at).padStart(2, "0")}`)

export interface Size {
  readonly events: number
  readonly players: number
}

/** The same numbers in every run (mulberry32). */
const random = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const zipf = (count: number): ((at: number) => number) => {
  const weights = Array.from({ length: count }, (_, at) => 1 / (at + 1))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let sum = 0
  const limits = Float64Array.from(weights, (weight) => (sum += weight / total))
  return (at) => {
    let low = 0
    let high = count - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if (limits[middle]! < at) low = middle + 1
      else high = middle
    }
    return low
  }
}

const hex = (value: number): string => (value >>> 0).toString(16).padStart(8, "0")

const uuid = (next: () => number): string => {
  const word = () => hex(next() * 4_294_967_296)
  const [a, b, c, d] = [word(), word(), word(), word()]
  return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-a${c.slice(1, 4)}-${c.slice(4)}${d}`
}

const modes = ["normal", "easy", "hard", "ranked", "event"]
const platforms = ["windows", "android", "ios", "console", "web"]
const countries = Array.from({ length: 40 }, (_, at) => `C${at}`)
const items = Array.from({ length: 500 }, (_, at) => `item_${at}`)

interface Playing {
  player: number
  session: string
  left: number
}

/** Markers of a game in order of arrival: at any time some players play sessions of about 20 markers; 2 % come hours late. */
export function* generate(size: Size, batch: number): Generator<ReadonlyArray<Event>> {
  const next = random(42)
  const [pickType, pickItem, pickCountry] = [zipf(typeCount), zipf(items.length), zipf(countries.length)]
  const join = (): Playing => ({
    player: Math.floor(next() ** 1.5 * size.players),
    session: uuid(next),
    left: 1 + Math.floor(next() * 40)
  })
  const playing = Array.from({ length: Math.max(10, Math.round(size.events / 20_000)) }, join)
  const span = days * day
  let events: Array<Event> = []
  for (let index = 0; index < size.events; index++) {
    const arrival = firstDay + Math.floor((index / size.events) * (span - 1))
    const seat = Math.floor(next() * playing.length)
    const { player, session } = playing[seat]!
    if (--playing[seat]!.left === 0) playing[seat] = join()
    const timestamp = next() < 0.02 ? Math.max(firstDay, arrival - Math.floor(next() * 6 * 3_600_000)) : arrival
    const type = pickType(next())
    const args: Record<string, Value> = {
      level: 1 + Math.floor(next() ** 2 * 100),
      mode: modes[Math.floor(next() ** 2 * 5)]!,
      score: Math.floor(next() * 100_000)
    }
    if (type % 3 === 0) args["price"] = Math.floor(next() * 10_000) / 100
    if (type % 2 === 0) args["item"] = items[pickItem(next())]!
    if (type % 5 === 0) args["won"] = next() < 0.5
    events.push({
      markerId: uuid(next),
      type: types[type]!,
      unitId: `player-${player}`,
      sessionId: session,
      serverId: null,
      timestamp,
      receivedAt: arrival,
      clamped: false,
      arguments: args,
      properties: { platform: platforms[player % 5]!, country: countries[pickCountry((player * 0.618_033_98) % 1)]! },
      position:
        next() < 0.2
          ? [Math.floor(next() * 100_000) / 100, Math.floor(next() * 5000) / 100, Math.floor(next() * 100_000) / 100]
          : null
    })
    if (events.length < batch) continue
    yield events
    events = []
  }
  if (events.length > 0) yield events
}
