import { FastCheck as fc } from "effect"
import type { StoredEvent, Value } from "../../../src/domain/analytics/markers/Event.ts"
import { exposed } from "../Arbitraries.ts"
import { marker } from "./Markers.ts"
import { origin, tick, ticks, types } from "./PlanParts.ts"
import { idOf } from "./ScannedEnvironment.ts"

export const unitCount = 2000

/** Some common values, which plans ask for, and as many rare ones as a column has where players type or buy what they want. */
const value: fc.Arbitrary<Value | undefined> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  { weight: 4, arbitrary: fc.constantFrom<Array<Value>>("", "x", "y", 1, 2.5, "3", 3, true, "2.5", "X", ["x", "z"]) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 300 }) },
  // Sums of quarters are exact in any order.
  { weight: 3, arbitrary: fc.integer({ min: -1_000_000, max: 1_000_000 }).map((quarters) => quarters / 4) },
  { weight: 2, arbitrary: fc.integer({ min: -(2 ** 30), max: 2 ** 30 }) },
  { weight: 2, arbitrary: fc.nat({ max: 100 }).map((number) => `v${number}`) },
  { weight: 3, arbitrary: fc.nat({ max: 60_000 }).map((number) => `value-${number}`) },
  { weight: 1, arbitrary: fc.constantFrom<Array<Value>>("Zoë", "😀", "1e3", " 3", "-0", "NaN", 0, -1, 1e15, 2 ** 40) }
)

const sent = fc.record({
  // Few players send most of the markers, as in games.
  unit: fc.option(
    fc.nat({ max: unitCount - 1 }).map((number) => Math.floor(number ** 2 / unitCount)),
    { freq: 16 }
  ),
  type: fc.constantFrom(...types),
  at: fc.oneof(
    { weight: 9, arbitrary: fc.nat({ max: ticks * tick - 1 }) },
    fc.nat({ max: ticks - 1 }).map((count) => count * tick)
  ),
  session: fc.option(fc.constantFrom("s1", "s2", "s3")),
  a: value,
  p: value,
  x: fc.integer({ min: -2, max: 6 }),
  z: fc.integer({ min: -2, max: 6 })
})

/** Markers of many players, in their order of receipt, in which blocks, pages and columns of the store have their full size. */
export const largeWorld = (size: number, seed: number): ReadonlyArray<StoredEvent> =>
  exposed(
    fc.sample(sent, { numRuns: size, seed }).map(({ unit, type, at, session, a, p, x, z }, index) =>
      marker(index + 1, unit === null ? null : `u${unit}`, type, origin + at, {
        session,
        arguments: a === undefined ? {} : { a },
        properties: p === undefined ? {} : { p },
        position: x === -2 ? null : [x, 0, z]
      })
    )
  ).map((event, index) => Object.assign({}, event, { markerId: idOf(index + 1), receivedAt: origin }))
