import { FastCheck as fc } from "effect"
import type { StoredEvent, Value } from "../../src/domain/analytics/markers/Event.ts"
import { exposureType } from "../../src/domain/analytics/filter/Memberships.ts"
import { marker } from "./analytics/Markers.ts"

/** Tiny domains, so that ties, repeats and empty groups are common. */
export interface Shape {
  readonly units: number
  readonly types: ReadonlyArray<string>
  /** Timestamps are origin + [0, ticks) · tick. */
  readonly ticks: number
  readonly tick: number
  readonly origin: number
  readonly most: number
  readonly least?: number
}

const argument: fc.Arbitrary<Value | undefined> = fc.constantFrom<Array<Value | undefined>>(
  undefined,
  "",
  "x",
  "y",
  1,
  2.5,
  "3",
  true,
  ["x", "z"]
)

export const events = ({
  units,
  types,
  ticks,
  tick,
  origin,
  most,
  least = 0
}: Shape): fc.Arbitrary<ReadonlyArray<StoredEvent>> =>
  fc
    .array(
      fc.record({
        unit: fc.option(fc.integer({ min: 0, max: units - 1 }), { freq: 12 }),
        type: fc.constantFrom(...types),
        at: fc.integer({ min: 0, max: ticks - 1 }),
        session: fc.option(fc.constantFrom("s1", "s2", "s3")),
        a: argument,
        p: argument,
        x: fc.integer({ min: -2, max: 6 }),
        z: fc.integer({ min: -2, max: 6 })
      }),
      { minLength: least, maxLength: most }
    )
    .map((all) =>
      all.map(({ unit, type, at, session, a, p, x, z }, sequence) =>
        marker(sequence, unit === null ? null : `u${unit}`, type, origin + at * tick, {
          session,
          arguments: a === undefined ? {} : { a },
          properties: p === undefined ? {} : { p },
          position: x === -2 ? null : [x, 0, z]
        })
      )
    )

/** Markers of the type `c` that carry an `a` become exposures, some of them to no experiment or to no group. */
export const exposed = (all: ReadonlyArray<StoredEvent>): ReadonlyArray<StoredEvent> =>
  all.map((event, index) => {
    if (event.type !== "c" || event.arguments["a"] === undefined) return event
    const groupId = [1, 2, "1", "2", "none", 3][index % 6]!
    return Object.assign({}, event, {
      type: exposureType,
      arguments: Object.assign({}, event.arguments, { experimentId: [1, "1", 2][index % 3]!, groupId })
    })
  })

/** The markers in another order of arrival: their receipts stay. */
export const shuffled = (all: ReadonlyArray<StoredEvent>): fc.Arbitrary<ReadonlyArray<StoredEvent>> =>
  fc.shuffledSubarray([...all], { minLength: all.length })
