import type { StreamEvents } from "../api/StreamEvents.ts"

/** Seconds that a rate looks back. */
export const lookBackSeconds = 60

/** Markers of each type in each of the last 60 seconds, the oldest first. `second` is the last of them, in seconds since 1970. */
export interface Rates {
  readonly second: number
  readonly types: ReadonlyMap<string, ReadonlyArray<number>>
}

export interface Rate {
  readonly type: string
  readonly seconds: ReadonlyArray<number>
  /** Markers of the minute. */
  readonly total: number
}

export const noRates = (second: number): Rates => ({ second, types: new Map() })

const silence: ReadonlyArray<number> = Array.from({ length: lookBackSeconds }, () => 0)

/** The rates at a later second; types that were silent for a minute are gone. */
export const at = (rates: Rates, second: number): Rates => {
  const passed = Math.min(second - rates.second, lookBackSeconds)
  if (passed <= 0) return rates
  const moved = [...rates.types].map(
    ([type, seconds]) => [type, [...seconds, ...silence].slice(passed, passed + lookBackSeconds)] as const
  )
  return { second, types: new Map(moved.filter(([, seconds]) => seconds.some((count) => count > 0))) }
}

/** The rates with what a second of the stream counted. */
export const counted = (rates: Rates, told: StreamEvents["markers"]): Rates => {
  const present = at(rates, Math.floor(Date.parse(told.at) / 1000))
  const types = new Map(present.types)
  for (const { type, count } of told.counts) {
    const seconds = types.get(type) ?? silence
    types.set(type, [...seconds.slice(0, -1), (seconds.at(-1) ?? 0) + count])
  }
  return { ...present, types }
}

/** The types that were active in the last minute, the most frequent first. */
export const busiest = ({ types }: Rates): ReadonlyArray<Rate> =>
  [...types]
    .map(([type, seconds]) => ({ type, seconds, total: seconds.reduce((sum, count) => sum + count, 0) }))
    .sort((one, other) => other.total - one.total || one.type.localeCompare(other.type))
