import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc, Option } from "effect"
import { lastDays } from "../../../../src/domain/analytics/time/LastDays.ts"
import { zoneNamed } from "../../../../src/domain/Zone.ts"
import { runCount } from "../../../support/Runs.ts"

const hour = 3_600_000
const named = (name: string) => Option.getOrThrow(zoneNamed(name))
const texts = (zone: string, now: string, count: number) =>
  lastDays(named(zone), Date.parse(now), count).map((instant) => new Date(instant).toISOString())

describe("the last days of a zone", () => {
  it("begin at its midnights, with today and the start of tomorrow at the end", () => {
    assert.deepStrictEqual(texts("Asia/Kathmandu", "2026-11-22T18:20:00Z", 2), [
      "2026-11-21T18:15:00.000Z",
      "2026-11-22T18:15:00.000Z",
      "2026-11-23T18:15:00.000Z"
    ])
  })

  it("are 23 or 25 hours long where clocks change, and leave out a day that never was", () => {
    assert.deepStrictEqual(texts("Europe/Berlin", "2026-10-26T08:00:00Z", 2), [
      "2026-10-24T22:00:00.000Z",
      "2026-10-25T23:00:00.000Z",
      "2026-10-26T23:00:00.000Z"
    ])
    assert.deepStrictEqual(texts("Pacific/Apia", "2011-12-31T09:00:00Z", 2), [
      "2011-12-29T10:00:00.000Z",
      "2011-12-30T10:00:00.000Z",
      "2011-12-31T10:00:00.000Z"
    ])
  })

  it("are as many as asked for, in order, and contain now in the last", () => {
    const zones = fc.constantFrom("UTC", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata")
    const instants = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2030, 0, 1) })
    fc.assert(
      fc.property(zones, instants, fc.integer({ min: 1, max: 30 }), (zone, now, count) => {
        const starts = lastDays(named(zone), now, count)
        assert.lengthOf(starts, count + 1)
        assert.isTrue(starts[count - 1]! <= now && now < starts[count]!)
        for (const [index, start] of starts.slice(1).entries()) {
          const length = (start - starts[index]!) / hour
          assert.isTrue(length >= 23 && length <= 25, `${zone}: ${length} hours`)
        }
      }),
      { numRuns: runCount(200) }
    )
  })
})
