import type { Position, StoredEvent, Values } from "../../../src/domain/analytics/markers/Event.ts"
import type { Filter } from "../../../src/domain/analytics/filter/Filter.ts"
import { unfiltered } from "../../../src/domain/analytics/filter/Filter.ts"
import type { Selector } from "../../../src/domain/analytics/filter/Selector.ts"

export interface MarkerOptions {
  readonly session?: string | null
  readonly arguments?: Values
  readonly properties?: Values
  readonly position?: Position | null
}

export const marker = (
  sequence: number,
  unitId: string | null,
  type: string,
  timestamp: number | string,
  options: MarkerOptions = {}
): StoredEvent => ({
  sequence,
  markerId: null,
  type,
  unitId,
  sessionId: options.session ?? null,
  serverId: null,
  timestamp: typeof timestamp === "string" ? Date.parse(timestamp) : timestamp,
  receivedAt: typeof timestamp === "string" ? Date.parse(timestamp) : timestamp,
  clamped: false,
  arguments: options.arguments ?? {},
  properties: options.properties ?? {},
  position: options.position ?? null
})

export const named = (type: string, filter: Filter = unfiltered): Selector => ({ types: [type], filter })

/** "alice: start@0 level@2 buy@9" with one line a unit; times in `tick` milliseconds from `origin`. */
export const journeys = (text: string, tick = 1000, origin = 0): ReadonlyArray<StoredEvent> => {
  let sequence = 0
  return text
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [unit, events] = line.trim().split(/:\s*/)
      return (events ?? "")
        .split(/\s+/)
        .filter((word) => word !== "")
        .map((word) => {
          const [type, at] = word.split("@")
          return marker(sequence++, unit!, type!, origin + Number(at) * tick)
        })
    })
}
