import { FastCheck as fc } from "effect"
import type { Event } from "../../../src/domain/analytics/markers/Event.ts"

export const base = Date.UTC(2026, 2, 1, 12)
export const day = 86_400_000

const few = fc.integer({ min: 0, max: 3 })

/** Markers from so few ids, instants and values that repeats and ties are common. */
export const fewMarkers: fc.Arbitrary<Event> = fc.record({
  markerId: fc.integer({ min: 0, max: 9 }).map((n) => `00000000-0000-4000-8000-00000000000${n}`),
  type: fc.constantFrom("Login", "Level", "Purchase"),
  unitId: fc.option(fc.constantFrom("u1", "u2", "u3")),
  sessionId: fc.option(fc.constantFrom("s1", "s2")),
  serverId: fc.constant(null),
  timestamp: few.map((hours) => base + hours * 20 * 3_600_000),
  receivedAt: fc.constant(base),
  clamped: fc.boolean(),
  arguments: fc.dictionary(
    fc.constantFrom("level", "__proto__", "price"),
    fc.oneof(few, fc.constantFrom("a", "", true)),
    {
      maxKeys: 2
    }
  ),
  properties: fc.dictionary(fc.constantFrom("platform", "country"), fc.constantFrom("ios", "web", "de"), {
    maxKeys: 2
  }),
  position: fc.option(fc.tuple(few, few, few))
})
