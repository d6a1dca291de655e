import { FastCheck as fc } from "effect"
import type { Event } from "../../../src/domain/analytics/markers/Event.ts"
import { day } from "./FewMarkers.ts"

export const start = Date.parse("2026-03-02T00:00:00Z")

const hour = 3_600_000

export const range = (from: string, to: string, rest: object = {}) => ({
  step: "day",
  timezone: "UTC",
  from,
  to,
  ...rest
})

export const week = range("2026-03-02T00:00:00Z", "2026-03-09T00:00:00Z")

export const metric = (id: string, data: object, rest: object = {}) => ({
  id,
  data: { name: "Level", type: "totalEvents", ...data },
  ...rest
})

let serial = 0

export const id = () => `00000000-0000-4000-8000-${String(++serial).padStart(12, "0")}`

interface Sent {
  readonly type: string
  readonly at: number
  readonly unit: string
  readonly value: Record<string, string | number>
  readonly platform: string
}

const few = fc.integer({ min: 0, max: 3 })

const sent: fc.Arbitrary<Sent> = fc.record({
  type: fc.constantFrom("Start", "Level", "Buy"),
  at: fc.integer({ min: 0, max: 60 }).map((hours) => start + hours * 2 * hour),
  unit: fc.constantFrom("u1", "u2", "u3", "u4"),
  value: fc.record({ price: few, item: fc.constantFrom("sword", "bow", "") }, { requiredKeys: [] }),
  platform: fc.constantFrom("ios", "web")
})

export const [journeys] = fc.sample(fc.array(sent, { minLength: 300, maxLength: 300 }), { numRuns: 1, seed: 11 })

export const markerOf = ({ type, at, unit, value, platform }: Sent) => ({
  markerId: id(),
  timestamp: at,
  type,
  value,
  userId: unit,
  sessionId: `${unit}-${Math.floor(at / day)}`,
  properties: { platform }
})

export const eventOf = ({ type, at, unit, value, platform }: Sent): Event => ({
  markerId: id(),
  type,
  unitId: unit,
  sessionId: `${unit}-${Math.floor(at / day)}`,
  serverId: null,
  timestamp: at,
  receivedAt: start,
  clamped: false,
  arguments: value,
  properties: { platform },
  position: null
})

export const everyMeasure = [
  ..."totalEvents uniqueUsers dau wau mau totalSessions frequencyPerUser frequencyPerSession firstTimeUsers"
    .split(" ")
    .map((type) => ({ type })),
  ..."sum average median min max sumPerUser averagePerUser".split(" ").map((type) => ({ type, argument: "price" })),
  { type: "percentile", argument: "price", percentile: 90 }
]
