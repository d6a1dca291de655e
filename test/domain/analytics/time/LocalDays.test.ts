import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc, Option } from "effect"
import { bucketAt, bucketsOf } from "../../../../src/domain/analytics/time/Buckets.ts"
import { dayStarts } from "../../../../src/domain/analytics/time/LocalDays.ts"
import { zoneNamed } from "../../../../src/domain/Zone.ts"
import { runCount } from "../../../support/Runs.ts"

const iso = (instant: number) => new Date(instant).toISOString()

describe("the days of a zone", () => {
  it("have 23 and 25 hours where clocks change", () => {
    const dayOf = dayStarts("Europe/Berlin")
    const tell = (text: string) => iso(dayOf(Date.parse(text)))
    assert.strictEqual(tell("2026-03-29T21:59:59.999Z"), "2026-03-28T23:00:00.000Z")
    assert.strictEqual(tell("2026-03-29T22:00:00Z"), "2026-03-29T22:00:00.000Z")
    assert.strictEqual(tell("2026-10-25T22:59:59.999Z"), "2026-10-24T22:00:00.000Z")
    assert.strictEqual(tell("2026-10-25T23:00:00Z"), "2026-10-25T23:00:00.000Z")
  })

  it("are those of UTC where nobody knows the zone", () => {
    assert.strictEqual(iso(dayStarts("Mars/Olympus")(Date.parse("2026-03-29T21:59:59Z"))), "2026-03-29T00:00:00.000Z")
  })

  it.prop(
    "are the buckets of the calendar, in whatever order instants come",
    [
      fc.constantFrom(
        "UTC",
        "Europe/Berlin",
        "America/St_Johns",
        "Australia/Lord_Howe",
        "Pacific/Apia",
        "America/Havana"
      ),
      fc.array(fc.integer({ min: Date.UTC(2010, 0, 1), max: Date.UTC(2012, 11, 31) }), { minLength: 1, maxLength: 20 })
    ],
    ([name, instants]) => {
      const zone = Option.getOrThrow(zoneNamed(name))
      const range = { from: Date.UTC(2009, 11, 31), to: Date.UTC(2013, 0, 1) }
      const { boundaries } = bucketsOf({ zone, weekStart: 0 }, "day", range)
      const dayOf = dayStarts(name)
      for (const instant of instants)
        assert.strictEqual(iso(dayOf(instant)), iso(boundaries[bucketAt(boundaries, instant)]!))
    },
    { fastCheck: { numRuns: runCount(200) } }
  )
})
