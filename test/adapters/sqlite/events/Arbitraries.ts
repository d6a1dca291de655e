import { FastCheck as fc } from "effect"
import type { Event, Value } from "../../../../src/domain/analytics/markers/Event.ts"

const scalar = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 8 }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  fc.integer({ min: -5000, max: 5000 }).map((value) => value / 1000),
  fc.boolean()
)

const value: fc.Arbitrary<Value> = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }))

const values = fc.dictionary(fc.constantFrom("a", "b", "$c", "déjà", "__proto__", "7"), value, { maxKeys: 4 })

const id = (names: ReadonlyArray<string>) => fc.option(fc.constantFrom(...names))

export const base = Date.UTC(2026, 2, 1)

/** Any event there can be; ids and instants from small domains so that ties and repeats are common. */
export const anyEvent: fc.Arbitrary<Event> = fc.record({
  markerId: fc.uuid(),
  type: fc.constantFrom("Start", "Level", "Kauf €", "x".repeat(300)),
  unitId: id(["u1", "u2", "ü3", "12345"]),
  sessionId: id(["s1", "s2"]),
  serverId: id(["srv"]),
  timestamp: fc.integer({ min: -40, max: 40 }).map((hours) => base + hours * 3_600_000),
  receivedAt: fc.constant(base),
  clamped: fc.boolean(),
  arguments: values,
  properties: values,
  position: fc.option(
    fc.tuple(
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((axis) => axis + 0),
      fc.integer(),
      fc.integer({ min: -9999, max: 9999 }).map((axis) => axis / 100 + 0)
    )
  )
})
